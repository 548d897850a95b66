import { expect, test } from 'vitest';
import { compactPage } from './compact-page.ts';

const TRACE = { stream: 'run-1', position: 1, global_position: 7, trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) };
const DEFINITION = { type: 'workflow', name: 'refund', version: 2 };
const event = (id: string, metadata: object) => ({
  id,
  type: 'step_finished',
  summary: `${id}.`,
  data: { n: 1 },
  metadata: { ...TRACE, correlation_id: 'r1', causation_id: null, at: `at ${id}`, by: 'ada', ...metadata },
});

test('what the events of a run share is in the page once, and events keep what differs', () => {
  const page = {
    events: [
      event('a', { run_id: 'r1', definition: DEFINITION, depth: 1 }),
      event('b', { run_id: 'r1', definition: DEFINITION, depth: 1, by: 'bo' }),
      event('c', { run_id: 'r2', definition: DEFINITION }),
    ],
    has_more: true,
    next_cursor: 'x',
  };

  expect(compactPage(page)).toEqual({
    events: [
      { id: 'a', type: 'step_finished', summary: 'a.', data: { n: 1 }, metadata: metadataOf('a', 'r1', 'ada') },
      { id: 'b', type: 'step_finished', summary: 'b.', data: { n: 1 }, metadata: metadataOf('b', 'r1', 'bo') },
      { id: 'c', type: 'step_finished', summary: 'c.', data: { n: 1 }, metadata: metadataOf('c', 'r2') },
    ],
    runs: {
      r1: { definition: DEFINITION, depth: 1, correlation_id: 'r1' },
      r2: { definition: DEFINITION, correlation_id: 'r1', by: 'ada' },
    },
    has_more: true,
    next_cursor: 'x',
  });
});

const metadataOf = (id: string, runId: string, by?: string) => ({
  at: `at ${id}`,
  run_id: runId,
  causation_id: null,
  ...(by === undefined ? {} : { by }),
});

test('events outside of runs keep who recorded them and what they are about', () => {
  const { runs, events } = compactPage({ events: [event('a', { definition: DEFINITION })] });
  expect(runs).toBeUndefined();
  expect(events).toMatchObject([{ metadata: { by: 'ada', definition: DEFINITION, correlation_id: 'r1' } }]);
});
