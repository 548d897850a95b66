import { expect, test } from 'vitest';
import type { EventRecord } from '../../../shared/api/index.ts';
import { buildSpans, nameOfStep, type Span } from './spans.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const TOP = '00000000-0000-4000-8000-000000000001';
const CALLED = '00000000-0000-4000-8000-000000000002';

function event(
  after: number,
  type: string,
  data: EventRecord['data'] = {},
  metadata: Partial<EventRecord['metadata']> = {},
): EventRecord {
  return {
    id: `${type}-${after}`,
    type,
    summary: '',
    data,
    metadata: {
      stream: `run-${TOP}`,
      position: 1,
      global_position: 1,
      correlation_id: null,
      causation_id: null,
      at: new Date(START + after).toISOString(),
      by: 'developer',
      run_id: TOP,
      definition: { type: 'workflow', name: 'handle' },
      ...metadata,
    },
  };
}

const shown = (spans: readonly Span[]) =>
  spans.map(({ depth, label, state, start, end }) => [
    depth,
    label,
    state,
    start - START,
    end === undefined ? undefined : end - START,
  ]);

const called = { run_id: CALLED, definition: { type: 'computation', name: 'score' } } as const;

test('given a workflow that calls, then the called run is a child of the step that called it', () => {
  const events = [
    event(0, 'run_started'),
    event(1, 'step_waiting', { step: '/do/0/rank', kind: 'call' }),
    event(
      2,
      'run_started',
      {},
      { ...called, called_by: { run_id: TOP, reference: '/do/0/rank', run: 'workflow/handle' } },
    ),
    event(5, 'run_succeeded', {}, called),
    event(6, 'step_finished', { step: '/do/0/rank', kind: 'call' }),
    event(7, 'run_succeeded'),
  ];
  expect(shown(buildSpans(events, TOP))).toEqual([
    [0, 'handle', 'finished', 0, 7],
    [1, 'rank', 'finished', 1, 6],
    [2, 'score', 'finished', 2, 5],
  ]);
  expect(shown(buildSpans(events, CALLED))).toEqual([[0, 'score', 'finished', 2, 5]]);
});

test('given a loop, then each iteration of a step is a separate span below the loop', () => {
  const events = [
    event(0, 'run_started'),
    event(1, 'step_started', { step: '/do/0/each', kind: 'for' }),
    event(2, 'step_finished', { step: '/do/0/each/do/0/one', kind: 'set' }),
    event(3, 'step_finished', { step: '/do/0/each/do/0/one', kind: 'set' }),
    event(4, 'step_finished', { step: '/do/0/each', kind: 'for' }),
  ];
  const spans = buildSpans(events, TOP);
  expect(shown(spans)).toEqual([
    [0, 'handle', 'running', 0, undefined],
    [1, 'each', 'finished', 1, 4],
    [2, 'one', 'finished', 2, 2],
    [2, 'one', 'finished', 3, 3],
  ]);
  expect(new Set(spans.map(({ key }) => key)).size).toBe(4);
});

test('given a step that waits and a run that is rejected, then the step ends as well', () => {
  const events = [
    event(0, 'run_started'),
    event(1, 'step_waiting', { step: '/do/0/answer', kind: 'listen', waits_for: 'an event' }),
    event(9, 'run_rejected', { rejection: { reason: 'cancelled', detail: 'Not needed.' } }),
  ];
  expect(shown(buildSpans(events.slice(0, 2), TOP))[1]).toEqual([1, 'answer', 'waiting', 1, undefined]);
  const spans = buildSpans(events, TOP);
  expect(shown(spans)[1]).toEqual([1, 'answer', 'stopped', 1, 9]);
  expect(spans[0]).toMatchObject({ detail: 'Not needed.', ending: { status: 'rejected', reason: 'cancelled' } });
});

test('given a skipped step and a stopped step, then they have different states', () => {
  const spans = buildSpans(
    [
      event(0, 'run_started'),
      event(1, 'step_skipped', { step: '/do/0/unlikely', kind: 'set' }),
      event(2, 'step_waiting', { step: '/do/1/hold', kind: 'wait', waits_for: 'a timer' }),
      event(3, 'step_skipped', { step: '/do/1/hold', kind: 'wait', because: 'stopped' }),
    ],
    TOP,
  );
  expect(spans.slice(1).map(({ state, detail }) => [state, detail])).toEqual([
    ['skipped', undefined],
    ['stopped', undefined],
  ]);
});

test('the name of a step is the last token of its pointer that is not an index', () => {
  expect(nameOfStep('/do/3/watch/try/0/answer')).toBe('answer');
  expect(nameOfStep('/do/0/a~1b')).toBe('a/b');
});
