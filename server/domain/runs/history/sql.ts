import type { DefinitionType } from '../../../../shared/definition-types.ts';
import {
  createRowMemory,
  type Migration,
  pagesOf,
  placeholders,
  type PlaybookKey,
  type ReadTransaction,
  type WriteTransaction,
} from '../../../kernel/log/index.ts';
import type { ToolsCalled } from '../../../kinds/tools.ts';
import type { DefinitionKey } from '../../definitions/index.ts';
import { countMigration, dayOf } from './counts.ts';
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
  /** The model that was to be called instead of the definition's. */
  model: string | null;
  started_at: string;
  started_position: number;
  started_by: string;
  called_by: string | null;
  trigger_text: string | null;
  /** The recorded event that fired the trigger; null for runs that were started before it was kept. */
  trigger_event_id: string | null;
  /** The run at the top of its tree: its own id where nothing called it. */
  top_run_id: string;
  call_depth: number;
  depth: number;
  /** The run that it continues from, and as JSON from where; null where it began anew. */
  origin_run_id: string | null;
  origin_text: string | null;
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
  /** Of all its attempts. */
  tokens_input: number;
  tokens_output: number;
  tokens_cached: number;
  tools_called: ToolsCalled;
}

/** What stays as the run began. */
const FIXED = [
  'org',
  'playbook',
  'run_id',
  'type',
  'name',
  'input_sha256',
  'model',
  'started_at',
  'started_position',
  'started_by',
  'called_by',
  'trigger_text',
  'trigger_event_id',
  'top_run_id',
  'call_depth',
  'depth',
  'origin_run_id',
  'origin_text',
] as const;
const CHANGING = [
  'definition_version',
  'status',
  'attempt',
  'cancel_requested_at',
  'attempt_started_at',
  'attempt_event_id',
  'ended_at',
  'ended_event_id',
  'duration_ms',
  'reason',
  'kind',
  'because',
  'output_shape',
  'tokens_input',
  'tokens_output',
  'tokens_cached',
  'tools_called',
] as const;
const WRITTEN = [...FIXED, ...CHANGING] as const;
export const RUN_COLUMNS = WRITTEN.join(', ');

const MOST_REMEMBERED = 1000;
const rows = createRowMemory<RunRow>(MOST_REMEMBERED, async (tx, changed) => {
  for (const page of pagesOf(changed)) {
    await tx.post(
      `INSERT INTO runs (started_day, ${RUN_COLUMNS}) VALUES ${placeholders(page.length, WRITTEN.length + 1)}
       ON CONFLICT (org, playbook, run_id) DO UPDATE SET
       ${CHANGING.map((column) => `${column} = excluded.${column}`).join(', ')}`,
      page.flatMap((run) => [dayOf(run), ...WRITTEN.map((column) => run[column])]),
    );
  }
});

const keyOf = ({ org, playbook }: PlaybookKey, runId: string): string => `${org}\0${playbook}\0${runId}`;

export async function selectRun(tx: ReadTransaction, place: PlaybookKey, runId: string): Promise<RunRow | undefined> {
  const key = keyOf(place, runId);
  const known = rows.get(tx, key);
  if (known !== undefined) return known;
  const row = await tx.get<RunRow>(`SELECT ${RUN_COLUMNS} FROM runs WHERE org = $1 AND playbook = $2 AND run_id = $3`, [
    place.org,
    place.playbook,
    runId,
  ]);
  if (row !== undefined) rows.set(tx, key, row);
  return row;
}

/** The run is this from now on. It is written once, before the commit. */
export function putRun(tx: WriteTransaction, run: RunRow): void {
  rows.put(tx, keyOf(run, run.run_id), run);
}

/** Runs of these types that are in progress, a page at a time in the order of their starts. */
export async function selectStarted(
  tx: WriteTransaction,
  place: PlaybookKey,
  type: string,
  after: number,
  limit: number,
): Promise<RunRow[]> {
  await rows.flush(tx);
  return tx.all(
    `SELECT ${RUN_COLUMNS} FROM runs WHERE org = $1 AND playbook = $2 AND type = $3 AND status = 'started'
       AND started_position > $4 ORDER BY started_position LIMIT $5`,
    [place.org, place.playbook, type, after, limit],
  );
}

/** Whether a run of the definition is in progress that a trigger of this kind started. */
export async function isTriggeredInProgress(
  tx: WriteTransaction,
  { org, playbook, type, name }: DefinitionKey,
  kind: string,
): Promise<boolean> {
  await rows.flush(tx);
  const started = await tx.all<{ trigger_text: string }>(
    `SELECT trigger_text FROM runs WHERE org = $1 AND playbook = $2 AND type = $3 AND status = 'started' AND name = $4
       AND trigger_text IS NOT NULL`,
    [org, playbook, type, name],
  );
  return started.some((row) => (JSON.parse(row.trigger_text) as { kind: string }).kind === kind);
}

/** The runs in progress that the run called, or that they called in turn. */
export async function selectStartedBelow(tx: ReadTransaction, run: RunRow): Promise<RunRow[]> {
  const rows = await tx.all<RunRow>(
    `SELECT ${RUN_COLUMNS} FROM runs WHERE org = $1 AND playbook = $2 AND status = 'started' AND top_run_id = $3
     ORDER BY started_position`,
    [run.org, run.playbook, run.top_run_id],
  );
  // A called run starts after its caller.
  const below = new Set([run.run_id]);
  return rows.filter(({ run_id: runId, called_by: calledBy }) => {
    if (calledBy === null || !below.has((JSON.parse(calledBy) as { run_id: string }).run_id)) return false;
    below.add(runId);
    return true;
  });
}

/** Whether any run of any playbook is in progress. */
export async function selectAnyStarted(tx: ReadTransaction): Promise<boolean> {
  return (await tx.get(`SELECT 1 AS one FROM runs WHERE status = 'started' LIMIT 1`, [])) !== undefined;
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
  await tx.post(
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
export const LEFT_BY_STOP = 'left by a stop';

/** Leaves every attempt of a holder to the next start. */
export async function leaveLeases(tx: WriteTransaction, holder: string): Promise<void> {
  await tx.run(`UPDATE run_leases SET holder = $2 WHERE holder = $1`, [holder, LEFT_BY_STOP]);
}

/** Whose leases: those of every other holder, or of one holder. */
export type LeasesOf = { allBut: string } | { holder: string };

export async function selectLeases(tx: ReadTransaction, of: LeasesOf, limit: number): Promise<Lease[]> {
  const [comparison, holder] = 'allBut' in of ? ['<>', of.allBut] : ['=', of.holder];
  return tx.all(
    `SELECT org, playbook, run_id, attempt, holder FROM run_leases WHERE holder ${comparison} $1
     ORDER BY org, playbook, run_id LIMIT $2`,
    [holder, limit],
  );
}

/** Everyone who holds an attempt. */
export async function selectLeaseHolders(tx: ReadTransaction): Promise<string[]> {
  const rows = await tx.all<{ holder: string }>('SELECT DISTINCT holder FROM run_leases');
  return rows.map(({ holder }) => holder);
}

/** Who holds the attempt of a run; undefined where nobody works on it. */
export async function selectLeaseHolder(
  tx: ReadTransaction,
  { org, playbook, run_id }: Pick<RunRow, 'org' | 'playbook' | 'run_id'>,
): Promise<string | undefined> {
  const lease = await tx.get<{ holder: string }>(
    `SELECT holder FROM run_leases WHERE org = $1 AND playbook = $2 AND run_id = $3`,
    [org, playbook, run_id],
  );
  return lease?.holder;
}

/** Whether a run in progress waits: an attempt that works holds a lease, and one that waits has given it up. */
export async function isWaiting(tx: ReadTransaction, run: Pick<RunRow, 'org' | 'playbook' | 'run_id' | 'status'>) {
  if (run.status !== 'started') return false;
  return (await selectLeaseHolder(tx, run)) === undefined;
}
