import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { Migration, PlaybookKey, ReadTransaction, WriteTransaction } from '../../kernel/log/index.ts';
import type { ToolsCalled } from '../../kinds/tools.ts';
import { countMigration, type EndedRun } from './counts.ts';

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
];

export type RunStatus = 'started' | 'succeeded' | 'rejected' | 'failed';

/** A run as the read table holds it. */
export interface RunRow {
  org: string;
  playbook: string;
  run_id: string;
  type: DefinitionType;
  name: string;
  definition_version: number;
  status: RunStatus;
  attempt: number;
  input_sha256: string;
  started_at: string;
  started_position: number;
  started_by: string;
  called_by: string | null;
  trigger_text: string | null;
  /** The run at the top of its tree: its own id where nothing called it. */
  top_run_id: string;
  call_depth: number;
  depth: number;
  /** When it was asked to stop. */
  cancel_requested_at: string | null;
  attempt_started_at: string;
  attempt_event_id: string;
  ended_at: string | null;
  ended_event_id: string | null;
  duration_ms: number | null;
  reason: string | null;
  kind: string | null;
  because: string | null;
  output_shape: string | null;
  tools_called: ToolsCalled;
}

const COLUMNS = `org, playbook, run_id, type, name, definition_version, status, attempt, input_sha256, started_at,
  started_position, started_by, called_by, trigger_text, top_run_id, call_depth, depth, cancel_requested_at,
  attempt_started_at, attempt_event_id, ended_at,
  ended_event_id, duration_ms, reason, kind, because, output_shape, tools_called`;

export async function selectRun(tx: ReadTransaction, place: PlaybookKey, runId: string): Promise<RunRow | undefined> {
  return tx.get(`SELECT ${COLUMNS} FROM runs WHERE org = $1 AND playbook = $2 AND run_id = $3`, [
    place.org,
    place.playbook,
    runId,
  ]);
}

export interface RunFilter {
  type?: string | undefined;
  name?: string | undefined;
  status?: string | undefined;
}

/** Runs by their first start, newest first, those before `before`. */
export async function selectRuns(
  tx: ReadTransaction,
  place: PlaybookKey,
  filter: RunFilter,
  before: number | undefined,
  limit: number,
): Promise<RunRow[]> {
  const parameters: (string | number)[] = [place.org, place.playbook, before ?? Number.MAX_SAFE_INTEGER, limit];
  const filters = (['type', 'name', 'status'] as const).flatMap((column) => {
    const value = filter[column];
    if (value === undefined) return [];
    parameters.push(value);
    return [`AND ${column} = $${parameters.length}`];
  });
  return tx.all(
    `SELECT ${COLUMNS} FROM runs WHERE org = $1 AND playbook = $2 AND started_position < $3 ${filters.join(' ')}
     ORDER BY started_position DESC LIMIT $4`,
    parameters,
  );
}

export async function insertRun(tx: WriteTransaction, run: RunRow): Promise<void> {
  await tx.run(
    `INSERT INTO runs (org, playbook, run_id, type, name, definition_version, status, attempt, input_sha256, started_at,
       started_day, started_position, started_by, called_by, trigger_text, attempt_started_at, attempt_event_id,
       top_run_id, call_depth, depth, tokens_input, tokens_output, tokens_cached)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, 0, 0, 0)`,
    [
      run.org,
      run.playbook,
      run.run_id,
      run.type,
      run.name,
      run.definition_version,
      run.status,
      run.attempt,
      run.input_sha256,
      run.started_at,
      run.started_at.slice(0, 10),
      run.started_position,
      run.started_by,
      run.called_by,
      run.trigger_text,
      run.attempt_started_at,
      run.attempt_event_id,
      run.top_run_id,
      run.call_depth,
      run.depth,
    ],
  );
}

export async function restartRun(
  tx: WriteTransaction,
  place: PlaybookKey,
  runId: string,
  attempt: { attempt: number; version: number; at: string; eventId: string },
): Promise<void> {
  await tx.run(
    `UPDATE runs SET status = 'started', attempt = $4, definition_version = $5, attempt_started_at = $6,
       attempt_event_id = $7, ended_at = NULL, ended_event_id = NULL, duration_ms = NULL, reason = NULL, kind = NULL,
       because = NULL, output_shape = NULL
     WHERE org = $1 AND playbook = $2 AND run_id = $3`,
    [place.org, place.playbook, runId, attempt.attempt, attempt.version, attempt.at, attempt.eventId],
  );
}

export async function markCancelled(
  tx: WriteTransaction,
  place: PlaybookKey,
  runId: string,
  at: string,
): Promise<void> {
  await tx.run(`UPDATE runs SET cancel_requested_at = $4 WHERE org = $1 AND playbook = $2 AND run_id = $3`, [
    place.org,
    place.playbook,
    runId,
    at,
  ]);
}

/** The run called a tool; once it called one that is not read-only, that stays so. */
export async function markToolCalled(
  tx: WriteTransaction,
  place: PlaybookKey,
  runId: string,
  use: ToolsCalled,
): Promise<void> {
  await tx.run(
    `UPDATE runs SET tools_called = $4
     WHERE org = $1 AND playbook = $2 AND run_id = $3 AND tools_called <> $4 AND tools_called <> 'effects'`,
    [place.org, place.playbook, runId, use],
  );
}

/** Runs of these types that are in progress, a page at a time in the order of their starts. */
export async function selectStarted(
  tx: ReadTransaction,
  place: PlaybookKey,
  type: string,
  after: number,
  limit: number,
): Promise<RunRow[]> {
  return tx.all(
    `SELECT ${COLUMNS} FROM runs WHERE org = $1 AND playbook = $2 AND type = $3 AND status = 'started'
       AND started_position > $4 ORDER BY started_position LIMIT $5`,
    [place.org, place.playbook, type, after, limit],
  );
}

/** Whether any run of any playbook is in progress. */
export async function selectAnyStarted(tx: ReadTransaction): Promise<boolean> {
  return (await tx.get(`SELECT 1 AS one FROM runs WHERE status = 'started' LIMIT 1`, [])) !== undefined;
}

export interface EndingRow {
  status: EndedRun['status'];
  at: string;
  eventId: string;
  durationMs: number;
  reason: string | null;
  kind: string | null;
  because: string | null;
  outputShape: string | null;
  tokens: { input: number; output: number; cached: number };
}

const COUNTED = `org, playbook, started_day, type, name, status, reason, kind, duration_ms, tokens_input, tokens_output,
  tokens_cached`;

/** A run that has ended, as it is counted; undefined while it has not. */
export async function selectEnded(
  tx: ReadTransaction,
  place: PlaybookKey,
  runId: string,
): Promise<EndedRun | undefined> {
  return tx.get(
    `SELECT ${COUNTED} FROM runs WHERE org = $1 AND playbook = $2 AND run_id = $3 AND status <> 'started'`,
    [place.org, place.playbook, runId],
  );
}

/** @returns the run as it is counted from now on */
export async function endRun(
  tx: WriteTransaction,
  place: PlaybookKey,
  runId: string,
  ending: EndingRow,
): Promise<EndedRun | undefined> {
  return tx.get(
    `UPDATE runs SET status = $4, ended_at = $5, ended_event_id = $6, duration_ms = $7, reason = $8, kind = $9,
       because = $10, output_shape = $11, tokens_input = tokens_input + $12, tokens_output = tokens_output + $13,
       tokens_cached = tokens_cached + $14
     WHERE org = $1 AND playbook = $2 AND run_id = $3 RETURNING ${COUNTED}`,
    [
      place.org,
      place.playbook,
      runId,
      ending.status,
      ending.at,
      ending.eventId,
      ending.durationMs,
      ending.reason,
      ending.kind,
      ending.because,
      ending.outputShape,
      ending.tokens.input,
      ending.tokens.output,
      ending.tokens.cached,
    ],
  );
}

/** Who carries out an attempt. Not rebuilt: a lease is a record of its own. */
export interface Lease {
  org: string;
  playbook: string;
  run_id: string;
  attempt: number;
  /** The process start that holds it. */
  holder: string;
}

export async function putLease(tx: WriteTransaction, lease: Lease): Promise<void> {
  await tx.run(
    `INSERT INTO run_leases (org, playbook, run_id, attempt, holder) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (org, playbook, run_id) DO UPDATE SET attempt = $4, holder = $5`,
    [lease.org, lease.playbook, lease.run_id, lease.attempt, lease.holder],
  );
}

/** Gives the lease up; false when somebody else holds the run by now. */
export async function dropLease(tx: WriteTransaction, lease: Lease): Promise<boolean> {
  const dropped = await tx.run(
    `DELETE FROM run_leases WHERE org = $1 AND playbook = $2 AND run_id = $3 AND attempt = $4 AND holder = $5`,
    [lease.org, lease.playbook, lease.run_id, lease.attempt, lease.holder],
  );
  return dropped === 1;
}

/** The holder of attempts that an orderly stop left, which distinguishes them from those of a process that died. */
const LEFT_BY_STOP = 'left by a stop';

/** Leaves every attempt of a holder to the next start. */
export async function leaveLeases(tx: WriteTransaction, holder: string): Promise<void> {
  await tx.run(`UPDATE run_leases SET holder = $2 WHERE holder = $1`, [holder, LEFT_BY_STOP]);
}

export async function selectDeadLeases(tx: ReadTransaction, holder: string, limit: number): Promise<Lease[]> {
  return tx.all(
    `SELECT org, playbook, run_id, attempt, holder FROM run_leases WHERE holder <> $1 ORDER BY org, playbook, run_id LIMIT $2`,
    [holder, limit],
  );
}

/** Whether a run in progress waits: an attempt that works holds a lease, and one that waits has given it up. */
export async function isWaiting(tx: ReadTransaction, run: Pick<RunRow, 'org' | 'playbook' | 'run_id' | 'status'>) {
  if (run.status !== 'started') return false;
  const lease = await tx.get(`SELECT 1 AS one FROM run_leases WHERE org = $1 AND playbook = $2 AND run_id = $3`, [
    run.org,
    run.playbook,
    run.run_id,
  ]);
  return lease === undefined;
}
