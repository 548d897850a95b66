import type { DefinitionType } from '../../../shared/definition-types.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import type { Projection, StoredEvent, WriteTransaction } from '../../kernel/log/index.ts';
import { COUNT_TABLES, countRun, type EndedRun } from './counts.ts';
import { endRun, insertRun, markCancelled, markToolCalled, restartRun, selectEnded, selectRun } from './sql.ts';

const STATUS_OF_ENDING: Readonly<Record<string, EndedRun['status']>> = {
  run_succeeded: 'succeeded',
  run_rejected: 'rejected',
  run_failed: 'failed',
};

export const runProjection: Projection = {
  tables: ['runs', ...COUNT_TABLES],
  async apply(tx, event) {
    if (event.type === 'run_started') return applyStart(tx, event);
    if (event.type === 'run_cancel_requested') {
      return markCancelled(tx, event, String(event.metadata.run_id), event.metadata.at);
    }
    const { run_id: caller } = event.metadata;
    if (event.type === 'tool_call_started' && caller !== undefined) {
      return markToolCalled(tx, event, caller, event.data['read_only'] === true ? 'reads' : 'effects');
    }
    const status = STATUS_OF_ENDING[event.type];
    if (status !== undefined) return applyEnding(tx, event, status);
  },
};

async function applyStart(tx: WriteTransaction, event: StoredEvent): Promise<void> {
  const { data, metadata } = event;
  const runId = String(metadata.run_id);
  const attempt = Number(data['attempt']);
  const version = Number(metadata.definition?.version);
  if (attempt > 1) {
    const ended = await selectEnded(tx, event, runId);
    if (ended !== undefined) countRun(tx, ended, -1);
    return restartRun(tx, event, runId, { attempt, version, at: metadata.at, eventId: event.id });
  }
  return insertRun(tx, {
    org: event.org,
    playbook: event.playbook,
    run_id: runId,
    type: metadata.definition?.type as DefinitionType,
    name: String(metadata.definition?.name),
    definition_version: version,
    status: 'started',
    attempt,
    input_sha256: String(data['input_sha256']),
    started_at: metadata.at,
    started_position: Number(event.readPosition),
    started_by: metadata.by,
    called_by: metadata.called_by === undefined ? null : JSON.stringify(metadata.called_by),
    trigger_text: metadata.trigger === undefined ? null : JSON.stringify(metadata.trigger),
    top_run_id: metadata.correlation_id ?? runId,
    call_depth: metadata.call_depth ?? 0,
    depth: metadata.depth ?? 0,
    cancel_requested_at: null,
    attempt_started_at: metadata.at,
    attempt_event_id: event.id,
    ended_at: null,
    ended_event_id: null,
    duration_ms: null,
    reason: null,
    kind: null,
    because: null,
    output_shape: null,
    tools_called: 'none',
  });
}

async function applyEnding(tx: WriteTransaction, event: StoredEvent, status: EndedRun['status']): Promise<void> {
  const runId = String(event.metadata.run_id);
  const run = await selectRun(tx, event, runId);
  if (run === undefined) throw new Error(`The run ${runId} ended and never started.`);
  const rejection = asObject(event.data['rejection']);
  const tokens = asObject(event.data['tokens']);
  const ended = await endRun(tx, event, runId, {
    status,
    at: event.metadata.at,
    eventId: event.id,
    durationMs: Math.max(0, Date.parse(event.metadata.at) - Date.parse(run.attempt_started_at)),
    reason: textOf(rejection['reason']),
    kind: textOf(rejection['kind']),
    because: textOf(rejection['because']),
    outputShape: textOf(event.data['output_shape']),
    tokens: {
      input: Number(tokens['input'] ?? 0),
      output: Number(tokens['output'] ?? 0),
      cached: Number(tokens['cached'] ?? 0),
    },
  });
  if (ended !== undefined) countRun(tx, ended, 1);
}

function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
