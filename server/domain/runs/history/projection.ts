import type { DefinitionType } from '../../../../shared/definition-types.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import type { Projection, StoredEvent, WriteTransaction } from '../../../kernel/log/index.ts';
import { COUNT_TABLES, countRun, type CountedRun } from './counts.ts';
import { putRun, type RunRow, selectRun } from './sql.ts';
import { putTriggerEvents } from './trigger-events.ts';

const STATUS_OF_ENDING: Readonly<Record<string, CountedRun['status']>> = {
  run_succeeded: 'succeeded',
  run_rejected: 'rejected',
  run_failed: 'failed',
};

export const runProjection: Projection = {
  tables: ['runs', 'run_trigger_events', ...COUNT_TABLES],
  apply(tx, event) {
    if (event.type === 'run_started') return applyStart(tx, event);
    if (event.type === 'run_cancel_requested') return applyCancel(tx, event);
    if (event.type === 'tool_call_started' && event.metadata.run_id !== undefined) return applyToolCall(tx, event);
    const status = STATUS_OF_ENDING[event.type];
    return status === undefined ? undefined : applyEnding(tx, event, status);
  },
};

async function applyStart(tx: WriteTransaction, event: StoredEvent): Promise<void> {
  const { data, metadata } = event;
  const runId = String(metadata.run_id);
  const attempt = Number(data['attempt']);
  const version = Number(metadata.definition?.version);
  const started = {
    definition_version: version,
    status: 'started',
    attempt,
    attempt_started_at: metadata.at,
    attempt_event_id: event.id,
    ended_at: null,
    ended_event_id: null,
    duration_ms: null,
    reason: null,
    kind: null,
    because: null,
    output_shape: null,
  } as const;
  if (attempt > 1) {
    const before = await requireKnown(tx, event);
    const { status } = before;
    if (status !== 'started') countRun(tx, { ...before, status }, -1);
    return putRun(tx, { ...before, ...started });
  }
  const { trigger_events: together } = data;
  if (Array.isArray(together)) await putTriggerEvents(tx, event, runId, together.map(String));
  putRun(tx, {
    ...started,
    org: event.org,
    playbook: event.playbook,
    run_id: runId,
    type: metadata.definition?.type as DefinitionType,
    name: String(metadata.definition?.name),
    input_sha256: String(data['input_sha256']),
    model: textOf(data['model']),
    started_at: metadata.at,
    started_position: Number(event.readPosition),
    started_by: metadata.by,
    called_by: metadata.called_by === undefined ? null : JSON.stringify(metadata.called_by),
    trigger_text: metadata.trigger === undefined ? null : JSON.stringify(metadata.trigger),
    trigger_event_id: metadata.trigger?.kind === 'event' ? metadata.causation_id : null,
    top_run_id: metadata.correlation_id ?? runId,
    call_depth: metadata.call_depth ?? 0,
    depth: metadata.depth ?? 0,
    origin_run_id: textOf(asObject(data['origin'])['run_id']),
    origin_text: data['origin'] === undefined ? null : JSON.stringify(data['origin']),
    cancel_requested_at: null,
    tokens_input: 0,
    tokens_output: 0,
    tokens_cached: 0,
    tools_called: 'none',
  });
}

async function applyCancel(tx: WriteTransaction, event: StoredEvent): Promise<void> {
  putRun(tx, { ...(await requireKnown(tx, event)), cancel_requested_at: event.metadata.at });
}

/** Once the run called a tool that is not read-only, that stays so. */
async function applyToolCall(tx: WriteTransaction, event: StoredEvent): Promise<void> {
  const use = event.data['read_only'] === true ? 'reads' : 'effects';
  const run = await selectRun(tx, event, String(event.metadata.run_id));
  if (run === undefined || run.tools_called === use || run.tools_called === 'effects') return;
  putRun(tx, { ...run, tools_called: use });
}

async function applyEnding(tx: WriteTransaction, event: StoredEvent, status: CountedRun['status']): Promise<void> {
  const run = await requireKnown(tx, event);
  const rejection = asObject(event.data['rejection']);
  const tokens = asObject(event.data['tokens']);
  const { at } = event.metadata;
  const ended = {
    ...run,
    status,
    ended_at: at,
    ended_event_id: event.id,
    duration_ms: Math.max(0, Date.parse(at) - Date.parse(run.attempt_started_at)),
    reason: textOf(rejection['reason']),
    kind: textOf(rejection['kind']),
    because: textOf(rejection['because']),
    output_shape: textOf(event.data['output_shape']),
    tokens_input: Number(run.tokens_input) + Number(tokens['input'] ?? 0),
    tokens_output: Number(run.tokens_output) + Number(tokens['output'] ?? 0),
    tokens_cached: Number(run.tokens_cached) + Number(tokens['cached'] ?? 0),
  };
  putRun(tx, ended);
  countRun(tx, ended, 1);
}

/** The run of an event that only a run that has started records. */
async function requireKnown(tx: WriteTransaction, event: StoredEvent): Promise<RunRow> {
  const runId = String(event.metadata.run_id);
  const run = await selectRun(tx, event, runId);
  if (run === undefined) throw new Error(`The run ${runId} has the event ${event.type} and never started.`);
  return run;
}

function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
