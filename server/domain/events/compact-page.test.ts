import { expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
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
  ...(by === undefined ? {} : { by }),
});

test('texts that the summary or an outer text has are in an event once, and others stay', () => {
  const detail = 'unworkable: computation/score: `score` must be a whole number.';
  const error = { status: 500, detail, rejection: { kind: 'unworkable', detail: '`score` must be a whole number.' } };
  const shown = compactPage({
    events: [
      { id: 'a', summary: 'Run of workflow/w failed (attempt 1).', data: { attempt: 1, detail, record: { error } } },
      {
        id: 'b',
        summary: 'The step /do/0 failed: Broken.',
        data: { attempt: 2, error: { title: 'Broken', ...error } },
      },
      { id: 'c', summary: 'The step /do/0 is waiting for an event.', data: { waits_for: 'an event' } },
      { id: 'd', summary: 'The step /do/0 is waiting.', data: { waits_for: 'an event' } },
    ],
  });
  expect((shown['events'] as JsonObject[]).map(({ data }) => data)).toEqual([
    { detail, record: { error: { status: 500, rejection: { kind: 'unworkable' } } } },
    { attempt: 2, error: { status: 500, detail, rejection: { kind: 'unworkable' } } },
    {},
    { waits_for: 'an event' },
  ]);
});

test('the error of a failed step is not repeated in the ending of its run, but in that of another run', () => {
  const error = { status: 500, detail: 'It failed.', instance: '/do/0' };
  const shown = compactPage({
    events: [
      { id: 'a', type: 'run_failed', summary: '', data: { record: { error } }, metadata: { run_id: 'r1' } },
      { id: 'b', type: 'step_failed', summary: '', data: { error }, metadata: { run_id: 'r1' } },
      { id: 'c', type: 'run_failed', summary: '', data: { record: { error } }, metadata: { run_id: 'r2' } },
    ],
  });
  expect((shown['events'] as JsonObject[]).map(({ data }) => data)).toEqual([
    { record: {} },
    { error },
    { record: { error } },
  ]);
});

test('events outside of runs keep who recorded them and what they are about', () => {
  const { runs, events } = compactPage({ events: [event('a', { definition: DEFINITION })] });
  expect(runs).toBeUndefined();
  expect(events).toMatchObject([{ metadata: { by: 'ada', definition: DEFINITION, correlation_id: 'r1' } }]);
});
