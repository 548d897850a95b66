import type { Migration } from '../../../kernel/log/index.ts';
import { countMigration } from './counts.ts';
import { triggerEventMigration } from './trigger-events.ts';

export const runMigrations: readonly Migration[] = [
  {
    id: 'runs/1',
    sql: `
      CREATE TABLE runs (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        run_id TEXT NOT NULL,
        type TEXT NOT NULL,
        name TEXT NOT NULL,
        definition_version BIGINT NOT NULL,
        status TEXT NOT NULL,
        attempt BIGINT NOT NULL,
        input_sha256 TEXT NOT NULL,
        started_at TEXT NOT NULL,
        started_day TEXT NOT NULL,
        started_position BIGINT NOT NULL,
        started_by TEXT NOT NULL,
        called_by TEXT,
        trigger_text TEXT,
        attempt_started_at TEXT NOT NULL,
        attempt_event_id TEXT NOT NULL,
        ended_at TEXT,
        ended_event_id TEXT,
        duration_ms BIGINT,
        reason TEXT,
        kind TEXT,
        because TEXT,
        output_shape TEXT,
        tokens_input BIGINT NOT NULL,
        tokens_output BIGINT NOT NULL,
        tokens_cached BIGINT NOT NULL,
        PRIMARY KEY (org, playbook, run_id)
      );
      CREATE UNIQUE INDEX runs_by_start ON runs (org, playbook, started_position);
      CREATE INDEX runs_by_definition ON runs (org, playbook, type, name, started_position);
      CREATE INDEX runs_by_day ON runs (org, playbook, started_day);
      CREATE TABLE run_leases (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        run_id TEXT NOT NULL,
        attempt BIGINT NOT NULL,
        holder TEXT NOT NULL,
        PRIMARY KEY (org, playbook, run_id)
      );`,
  },
  {
    id: 'runs/2',
    sql: `
      ALTER TABLE runs ADD COLUMN top_run_id TEXT NOT NULL DEFAULT '';
      ALTER TABLE runs ADD COLUMN call_depth BIGINT NOT NULL DEFAULT 0;
      ALTER TABLE runs ADD COLUMN depth BIGINT NOT NULL DEFAULT 0;
      ALTER TABLE runs ADD COLUMN cancel_requested_at TEXT;
      UPDATE runs SET top_run_id = run_id;
      CREATE INDEX runs_by_waiting ON runs (org, playbook, type, started_position) WHERE status = 'started';`,
  },
  {
    id: 'runs/3',
    sql: `ALTER TABLE runs ADD COLUMN tools_called TEXT NOT NULL DEFAULT 'none';`,
  },
  countMigration,
  {
    id: 'runs/5',
    sql: `ALTER TABLE runs ADD COLUMN model TEXT;`,
  },
  {
    id: 'runs/6',
    sql: `
      ALTER TABLE runs ADD COLUMN trigger_event_id TEXT;
      CREATE INDEX runs_by_trigger_event ON runs (org, playbook, trigger_event_id) WHERE trigger_event_id IS NOT NULL;`,
  },
  {
    id: 'runs/7',
    sql: `
      ALTER TABLE runs ADD COLUMN origin_run_id TEXT;
      ALTER TABLE runs ADD COLUMN origin_text TEXT;
      CREATE INDEX runs_by_origin ON runs (org, playbook, origin_run_id, started_position)
        WHERE origin_run_id IS NOT NULL;`,
  },
  {
    id: 'runs/8',
    // Without the position SQLite reads all runs in their order instead of those of the event.
    sql: `
      DROP INDEX runs_by_trigger_event;
      CREATE INDEX runs_by_trigger_event ON runs (org, playbook, trigger_event_id, started_position)
        WHERE trigger_event_id IS NOT NULL;
      CREATE INDEX runs_by_caller ON runs (org, playbook, top_run_id, started_position) WHERE called_by IS NOT NULL;`,
  },
  triggerEventMigration,
  {
    id: 'runs/10',
    // Most called functions end within 31 ms, where the counts of a day have each duration by itself.
    sql: `
      DROP INDEX runs_by_duration;
      CREATE INDEX runs_by_long_duration ON runs (org, playbook, started_day, duration_ms, type)
        WHERE status <> 'rejected' AND duration_ms > 31;`,
  },
];
