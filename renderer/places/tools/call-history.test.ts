import { expect, test } from 'vitest';
import type { EventRecord } from '../../../shared/api/index.ts';
import { callsOf } from './call-history.ts';

let made = 0;
function event(
  type: string,
  callId: string,
  data: Record<string, unknown> = {},
  stream = `call-${callId}`,
): EventRecord {
  made += 1;
  const at = `2026-03-02T09:00:${String(made).padStart(2, '0')}.000Z`;
  return {
    id: `event-${made}`,
    type,
    summary: '',
    data: { server: 'files', tool: 'read', call_id: callId, ...data },
    metadata: {
      stream,
      position: 1,
      global_position: made,
      correlation_id: null,
      causation_id: null,
      at,
      by: 'developer',
    },
  };
}
const outcomes = (events: readonly EventRecord[]): [string, string | null][] =>
  callsOf(events, { server: 'files', tool: 'read' }).map(({ callId, outcome }) => [callId, outcome]);

test('a call has one entry, newest first, with the outcome that execute returned', () => {
  const events = [
    event('tool_call_started', 'a', { arguments: { path: '/x' } }),
    event('tool_call_answered', 'a', { duration_ms: 12 }),
    event('tool_call_started', 'b'),
    event('tool_call_answered', 'b', { is_error: true }),
    event('tool_call_started', 'c'),
    event('tool_call_failed', 'c', { because: 'arguments_refused' }),
    event('tool_call_started', 'd'),
    event('tool_call_failed', 'd', { because: 'timed_out' }),
    event('tool_call_started', 'e'),
    event('tool_call_failed', 'e', { because: 'server_failure' }),
    event('tool_call_started', 'f'),
  ];
  const calls = [
    ['f', null],
    ['e', 'server_failure'],
    ['d', 'timed_out'],
    ['c', 'tool_error'],
    ['b', 'tool_error'],
    ['a', 'result'],
  ];
  expect(outcomes(events)).toEqual(calls);
  expect(outcomes(events.toReversed())).toEqual(calls);
  expect(callsOf(events, { server: 'files', tool: 'read' }).at(-1)).toMatchObject({
    eventId: events[1]?.id,
    durationMs: 12,
    arguments: { path: '/x' },
  });
});

test('calls of other tools and calls by runs are left out', () => {
  expect(outcomes([event('tool_call_started', 'a', { tool: 'write' })])).toEqual([]);
  expect(outcomes([event('tool_call_started', 'a', { server: 'mail' })])).toEqual([]);
  expect(outcomes([event('tool_call_started', 'a', {}, 'run-a')])).toEqual([]);
});
