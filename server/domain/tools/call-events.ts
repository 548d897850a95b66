// The events of a tool call. A run records them in its stream, a test of a tool in a stream for the call.
import type { Json, JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { storeLargeMembers, storeText, sha256 } from '../../kernel/contents/index.ts';
import type { ContentReference, NewEvent, PlaybookKey, WriteTransaction } from '../../kernel/log/index.ts';
import type { CallStart, ToolCalled } from './call.ts';

/** What history shows of how a call ended. */
type CallEnded = Omit<ToolCalled, 'answer' | 'output' | 'requestId' | 'calledAt'>;

/** What an event has beside the call itself: `call_id`, or `attempt` and `step`. */
type NamedValues = Readonly<Record<string, Json>>;
type CallEvent = Pick<NewEvent, 'type' | 'data' | 'kept'>;

export async function callStarted(
  tx: WriteTransaction,
  playbookKey: PlaybookKey,
  start: CallStart,
  named: NamedValues,
): Promise<CallEvent> {
  const text = JSON.stringify(start.arguments);
  const { data, kept } = await storeLargeMembers(tx, playbookKey, {
    arguments: start.keepsContent ? start.arguments : undefined,
  });
  return {
    type: 'tool_call_started',
    data: {
      ...named,
      ...serverOf(start),
      ...(start.readOnly ? { read_only: true } : {}),
      ...data,
      arguments_bytes: Buffer.byteLength(text),
      ...(start.keepsContent ? { arguments_sha256: sha256(text) } : {}),
    },
    kept,
  };
}

export async function callEnded(
  tx: WriteTransaction,
  playbookKey: PlaybookKey,
  call: CallEnded,
  named: NamedValues,
): Promise<CallEvent> {
  const common = { ...named, ...serverOf(call), duration_ms: call.durationMs };
  const size = call.resultBytes === null ? {} : { result_bytes: call.resultBytes };
  if (call.because !== undefined) {
    const detail = call.keepsContent ? { detail: call.text } : {};
    return { type: 'tool_call_failed', data: { ...common, because: call.because, ...detail, ...size }, kept: {} };
  }
  const { data, kept } = await keepAnswer(tx, playbookKey, call.keepsContent ? call.result : undefined);
  return {
    type: 'tool_call_answered',
    data: {
      ...common,
      ...(call.outcome === 'tool_error' ? { is_error: true } : {}),
      ...data,
      ...size,
      ...(call.keepsContent && call.result !== undefined ? { result_sha256: call.result.sha256 } : {}),
    },
    kept,
  };
}

/** As `keepLarge`, of what is JSON already. */
async function keepAnswer(
  tx: WriteTransaction,
  playbookKey: PlaybookKey,
  result: CallEnded['result'],
): Promise<Pick<NewEvent, 'data'> & { kept: Record<string, ContentReference> }> {
  if (result === undefined) return { data: {}, kept: {} };
  if (result.bytes <= LIMITS.shownValueBytes) return { data: { answer: JSON.parse(result.text) as Json }, kept: {} };
  return { data: {}, kept: { answer: await storeText(tx, playbookKey, result.text) } };
}

function serverOf({ server, connectionId, tool }: Pick<CallStart, 'server' | 'connectionId' | 'tool'>): JsonObject {
  return { server, tool, ...(connectionId === undefined ? {} : { connection_id: connectionId }) };
}
