// The rows of runs.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import {
  createRowMemory,
  pagesOf,
  placeholders,
  type PlaybookKey,
  type ReadTransaction,
  type WriteTransaction,
} from '../../../kernel/log/index.ts';
import type { ToolsCalled } from '../../../kinds/tools.ts';
import type { DefinitionKey } from '../../definitions/index.ts';
import { dayOf } from './counts.ts';

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
  /** When its cancellation was requested. */
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
    await tx.run(
      `INSERT INTO runs (started_day, ${RUN_COLUMNS}) VALUES ${placeholders(page.length, WRITTEN.length + 1)}
       ON CONFLICT (org, playbook, run_id) DO UPDATE SET
       ${CHANGING.map((column) => `${column} = excluded.${column}`).join(', ')}`,
      page.flatMap((run) => [dayOf(run), ...WRITTEN.map((column) => run[column])]),
    );
  }
});

const keyOf = ({ org, playbook }: PlaybookKey, runId: string): string => `${org}\0${playbook}\0${runId}`;

export async function selectRun(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  runId: string,
): Promise<RunRow | undefined> {
  const key = keyOf(playbookKey, runId);
  const known = rows.get(tx, key);
  if (known !== undefined) return known;
  const row = await tx.get<RunRow>(`SELECT ${RUN_COLUMNS} FROM runs WHERE org = $1 AND playbook = $2 AND run_id = $3`, [
    playbookKey.org,
    playbookKey.playbook,
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
  playbookKey: PlaybookKey,
  type: string,
  after: number,
  limit: number,
): Promise<RunRow[]> {
  await rows.flush(tx);
  return tx.all(
    `SELECT ${RUN_COLUMNS} FROM runs WHERE org = $1 AND playbook = $2 AND type = $3 AND status = 'started'
       AND started_position > $4 ORDER BY started_position LIMIT $5`,
    [playbookKey.org, playbookKey.playbook, type, after, limit],
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
