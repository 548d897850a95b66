// Executed calls of a tool, assembled from their events.
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import type { EventRecord, ToolCall } from '../../../shared/api/index.ts';

export interface CallOfHistory {
  callId: string;
  /** Null if no response was recorded: the call is running, or its caller disconnected. */
  outcome: ToolCall['outcome'] | null;
  at: string;
  by: string;
  durationMs: number | undefined;
  /** The event with the most details. */
  eventId: string;
  /** The arguments, if recorded and small. */
  arguments: JsonObject | undefined;
}

/** @param events in any order @returns newest calls first */
export function callsOf(
  events: readonly EventRecord[],
  { server, tool }: { server: string; tool: string },
): CallOfHistory[] {
  const own = events.filter(
    ({ data, metadata }) =>
      data['server'] === server &&
      data['tool'] === tool &&
      isCall(metadata.stream) &&
      typeof data['call_id'] === 'string',
  );
  const ends = new Map(own.filter((event) => !isStart(event)).map((event) => [event.data['call_id'], event]));
  return own
    .filter(isStart)
    .map((start) => {
      const end = ends.get(start.data['call_id']);
      const args = start.data['arguments'];
      return {
        callId: String(start.data['call_id']),
        outcome: end === undefined ? null : outcomeOf(end),
        at: start.metadata.at,
        by: start.metadata.by,
        durationMs: typeof end?.data['duration_ms'] === 'number' ? end.data['duration_ms'] : undefined,
        eventId: (end ?? start).id,
        arguments: isJsonObject(args) ? args : undefined,
      };
    })
    .toSorted((a, b) => (a.at < b.at ? 1 : -1));
}

export function isCall(stream: string): boolean {
  return stream.startsWith('call-');
}

function isStart({ type }: EventRecord): boolean {
  return type === 'tool_call_started';
}

function outcomeOf({ type, data }: EventRecord): ToolCall['outcome'] {
  if (type === 'tool_call_answered') return data['is_error'] === true ? 'tool_error' : 'result';
  switch (data['because']) {
    case 'arguments_refused':
      return 'tool_error';
    case 'timed_out':
      return 'timed_out';
    case 'too_large':
      return 'too_large';
    default:
      return 'server_failure';
  }
}
