// Runs as callers get them.
import type { Json, JsonObject } from '../../../../shared/json.ts';
import type { Issue } from '../../../../shared/issues.ts';
import { type ProblemName, REASON_OF_OWN_NAME, type Reason } from '../../../../shared/problems.ts';
import type { Run, RunListEntry, RunOrigin, RunWithRecord } from '../../../../shared/schemas/index.ts';
import type { KindTraits } from '../../../kinds/kind.ts';
import { readMember } from '../../../kernel/contents/index.ts';
import { type PlaybookKey, type ReadTransaction, selectEvent, type StoredEvent } from '../../../kernel/log/index.ts';
import { notFound, Refused, type Rejection } from '../../../lib/rejection.ts';
import { type RunRow, selectRun } from './sql.ts';

/** @throws Refused `not_found` */
export async function requireRun(tx: ReadTransaction, playbookKey: PlaybookKey, runId: string): Promise<RunRow> {
  const run = await selectRun(tx, playbookKey, runId.toLowerCase());
  if (run !== undefined) return run;
  throw notFound(`The playbook ${playbookKey.playbook} has no run ${runId}; list_runs shows its runs.`);
}

/** The run that it continues from, and where. */
export function originOf({ origin_text: text }: RunRow): RunOrigin | undefined {
  return text === null ? undefined : (JSON.parse(text) as RunOrigin);
}

/** A run as lists show it. */
export async function presentEntry(tx: ReadTransaction, row: RunRow): Promise<RunListEntry> {
  const origin = originOf(row);
  return {
    run_id: row.run_id,
    type: row.type,
    name: row.name,
    definition_version: Number(row.definition_version),
    status: row.status,
    attempt: Number(row.attempt),
    started_at: row.started_at,
    attempt_started_at: row.attempt_started_at,
    ...(row.ended_at === null ? {} : { ended_at: row.ended_at }),
    started_by: row.started_by,
    ...(row.model === null ? {} : { model: row.model }),
    ...(row.called_by === null ? {} : { called_by: JSON.parse(row.called_by) as NonNullable<Run['called_by']> }),
    ...(row.trigger_text === null ? {} : { trigger: await triggerOf(tx, row, row.trigger_text) }),
    ...(origin === undefined ? {} : { origin }),
    ...(row.reason === null ? {} : { reason: row.reason as Reason }),
    ...(row.kind === null ? {} : { kind: row.kind }),
    ...(row.because === null ? {} : { because: row.because }),
    ...(row.output_shape === null ? {} : { output_shape: row.output_shape }),
  };
}

/** The trigger, with the published event that fired it. */
async function triggerOf(tx: ReadTransaction, row: RunRow, text: string): Promise<NonNullable<Run['trigger']>> {
  const trigger = JSON.parse(text) as NonNullable<Run['trigger']>;
  const event = row.trigger_event_id === null ? undefined : await selectEvent(tx, row, row.trigger_event_id);
  if (event === undefined) return trigger;
  const { source, id } = event.data['event'] as JsonObject;
  return { ...trigger, event_id: event.id, source: String(source), id: String(id) };
}

/**
 * The run with its output or rejection and its record.
 * @param known the event that ended it, where it is at hand
 */
export async function presentRun(tx: ReadTransaction, row: RunRow, known?: StoredEvent): Promise<RunWithRecord> {
  const entry = await presentEntry(tx, row);
  if (row.ended_event_id === null) return { ...entry, record: {} };
  const ending = known ?? (await selectEvent(tx, row, row.ended_event_id));
  if (ending === undefined) throw new Error(`The event ${row.ended_event_id} that ended a run is missing.`);
  const output = await readMember(tx, ending, 'output');
  const record = await readMember(tx, ending, 'record');
  return {
    ...entry,
    ...wordsOf(ending),
    ...(row.status === 'succeeded' ? { output: output ?? null } : {}),
    record: (record ?? {}) as JsonObject,
  };
}

/** The row as it was while the run waited. */
export function asStarted(row: RunRow): RunRow {
  const end = { ended_at: null, ended_event_id: null, reason: null, kind: null, because: null, output_shape: null };
  return { ...row, status: 'started', ...end };
}

export function withoutRecord({ record: _record, ...run }: RunWithRecord): Run {
  return run;
}

/** A rejection's detail and issues, or a failure's detail. */
function wordsOf({ data }: StoredEvent): { detail?: string; issues?: Issue[]; retry_after?: number } {
  const said = (data['rejection'] ?? data) as { detail?: Json; issues?: Json; retry_after?: Json };
  return {
    ...(typeof said.detail === 'string' ? { detail: said.detail } : {}),
    ...(Array.isArray(said.issues) ? { issues: said.issues as unknown as Issue[] } : {}),
    ...(typeof said.retry_after === 'number' ? { retry_after: said.retry_after } : {}),
  };
}

/**
 * Returns the run where it succeeded or is in progress.
 * @throws Refused with the run's rejection and its `run_id`; `internal` for a run that failed
 */
export function refuseUnlessSucceeded(run: Run, { runsOnce }: KindTraits): Run {
  if (run.status === 'succeeded' || run.status === 'started') return run;
  const members = { run_id: run.run_id };
  const detail = run.detail ?? 'The run ended without a reason.';
  if (run.status === 'failed') throw new Refused({ reason: 'internal', detail }, { members });
  const { kind, because, issues, retry_after: retryAfter } = run;
  const rejection: Rejection = {
    reason: run.reason as Reason,
    ...(kind === undefined ? {} : { kind }),
    ...(because === undefined ? {} : { because }),
    ...(issues === undefined ? {} : { issues }),
    detail,
    // Another attempt may find a place soon, where there is another one.
    ...(run.reason === 'unavailable' && kind === undefined && because === undefined && runsOnce !== true
      ? { retryAfter: 2 }
      : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
  throw new Refused(rejection, { problem: problemOf(rejection), members });
}

function problemOf({ reason, kind }: Rejection): ProblemName {
  return kind !== undefined && Object.hasOwn(REASON_OF_OWN_NAME, kind) ? (kind as ProblemName) : reason;
}
