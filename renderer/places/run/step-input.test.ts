import { expect, test } from 'vitest';
import type { EventRecord } from '../../../shared/api/index.ts';
import { buildSpans, type Span } from './spans.ts';
import { inputOfStep } from './step-input.ts';

const TOP = '00000000-0000-4000-8000-000000000001';
const CALLED = '00000000-0000-4000-8000-000000000002';

/** The events of a run, in the order given, with positions. */
function history(...events: [type: string, data?: EventRecord['data'], metadata?: object][]): EventRecord[] {
  return events.map(
    ([type, data = {}, metadata = {}], index): EventRecord => ({
      id: `event-${index}`,
      type,
      summary: '',
      data,
      metadata: {
        stream: `run-${TOP}`,
        position: index + 1,
        global_position: index + 1,
        correlation_id: null,
        causation_id: null,
        at: new Date(Date.UTC(2026, 0, 1) + index).toISOString(),
        by: 'developer',
        run_id: TOP,
        definition: { type: 'workflow', name: 'handle' },
        ...metadata,
      },
    }),
  );
}

/** The value that a step received, and the name of what it is from. */
function inputOf(events: readonly EventRecord[], choose: (span: Span) => boolean): unknown[] {
  const spans = buildSpans(events, TOP);
  const input = inputOfStep(spans.find(choose) as Span, spans);
  return [input?.event.data[input.member], input?.from.label, input?.isExact];
}

const at =
  (pointer: string, nth = 1) =>
  (span: Span) =>
    span.location === pointer && span.nth === nth;

test('given steps in a list, then each received the output of the one before, and the first the input of the run', () => {
  const events = history(
    ['run_started', { input: { sum: 1 } }],
    ['step_finished', { step: '/do/0/price', kind: 'set', output: 2 }],
    ['step_skipped', { step: '/do/1/discount', kind: 'set', because: 'condition' }],
    ['step_finished', { step: '/do/2/charge', kind: 'set', output: 3 }],
  );
  expect(inputOf(events, at('/do/0/price'))).toEqual([{ sum: 1 }, 'handle', false]);
  expect(inputOf(events, at('/do/2/charge'))).toEqual([2, 'price', false]);
  expect(inputOf(events, at('run'))).toEqual([{ sum: 1 }, 'handle', true]);
});

test('given a call, then its input is that of the run that it called', () => {
  const called = {
    run_id: CALLED,
    definition: { type: 'computation', name: 'score' },
    called_by: { run_id: TOP, reference: '/do/0/rank', run: 'workflow/handle' },
  };
  const events = history(
    ['run_started', { input: 1 }],
    ['step_waiting', { step: '/do/0/rank', kind: 'call' }],
    ['run_started', { input: { of: 'the call' } }, called],
    ['run_succeeded', { output: 7 }, called],
    ['step_finished', { step: '/do/0/rank', kind: 'call', output: 7 }],
  );
  expect(inputOf(events, at('/do/0/rank'))).toEqual([{ of: 'the call' }, 'score', true]);
});

test('given a tool call, then its input is its arguments', () => {
  const events = history(
    ['run_started', { input: 1 }],
    ['step_waiting', { step: '/do/0/read', kind: 'call' }],
    ['tool_call_started', { step: '/do/0/read', server: 'files', tool: 'read', arguments: { path: 'a' } }],
    ['tool_call_answered', { step: '/do/0/read', server: 'files', tool: 'read', answer: {} }],
    ['step_finished', { step: '/do/0/read', kind: 'call', output: 'text' }],
  );
  expect(inputOf(events, at('/do/0/read'))).toEqual([{ path: 'a' }, 'files/read', true]);
});

test('given a loop, then an iteration received the output of the one before, and the first what the loop received', () => {
  const one = '/do/1/each/for/do/0/one';
  const events = history(
    ['run_started', { input: 0 }],
    ['step_finished', { step: '/do/0/list', kind: 'set', output: [5, 6] }],
    ['step_finished', { step: one, kind: 'set', iterations: [0], output: 'first' }],
    ['step_finished', { step: one, kind: 'set', iterations: [1], output: 'second' }],
    ['step_finished', { step: '/do/1/each', kind: 'for', output: 'second' }],
  );
  expect(inputOf(events, at(one, 1))).toEqual([[5, 6], 'list', false]);
  expect(inputOf(events, at(one, 2))).toEqual(['first', 'one', false]);
});

test('given a retry, then its first step received what the try received, and not an output of the try before', () => {
  const [ask, use] = ['/do/1/watch/try/0/ask', '/do/1/watch/try/1/use'];
  const events = history(
    ['run_started', { input: 0 }],
    ['step_finished', { step: '/do/0/begin', kind: 'set', output: 'begun' }],
    ['step_finished', { step: ask, kind: 'set', output: 'asked' }],
    ['step_failed', { step: use, kind: 'set', error: { title: 'No' } }],
    ['step_waiting', { step: '/do/1/watch', kind: 'try', waits_for: 'the time, to try again (retry 1)' }],
    ['step_started', { step: '/do/1/watch', kind: 'try' }],
    ['step_finished', { step: ask, kind: 'set', output: 'asked again' }],
    ['step_finished', { step: use, kind: 'set', output: 'used' }],
    ['step_finished', { step: '/do/1/watch', kind: 'try', output: 'used' }],
  );
  expect(inputOf(events, at(ask, 2))).toEqual(['begun', 'begin', false]);
  expect(inputOf(events, at(use, 2))).toEqual(['asked again', 'ask', false]);
});

test('given branches, then each received what the fork received', () => {
  const branch = (location: string) => `/do/0/both/fork/branches/${location}`;
  const events = history(
    ['run_started', { input: 'given' }],
    ['step_finished', { step: branch('0/left'), kind: 'set', output: 1 }],
    ['step_finished', { step: branch('1/right'), kind: 'set', output: 2 }],
    ['step_finished', { step: '/do/0/both', kind: 'fork', output: [1, 2] }],
  );
  expect(inputOf(events, at(branch('1/right')))).toEqual(['given', 'handle', false]);
});
