import { expect, test } from 'vitest';
import { shownSpans } from './shown-spans.ts';
import type { Span, SpanState } from './spans.ts';

const span = (label: string, depth: number, state: SpanState = 'finished'): Span => ({
  key: label,
  kind: 'step',
  label,
  sort: 'set',
  depth,
  start: 0,
  end: 1,
  state,
});
const SPANS = [
  span('run', 0, 'running'),
  span('each', 1),
  span('weigh', 2),
  span('keep', 2, 'failed'),
  span('ask', 1, 'waiting'),
];
const labels = (shown: Parameters<typeof shownSpans>[1]): string[] =>
  shownSpans(SPANS, shown).map(({ label }) => label);
const closed = new Set<string>();

test('given a collapsed span, then its descendants are hidden, and later spans are shown', () => {
  expect(labels({ closed: new Set(['each']) })).toEqual(['run', 'each', 'ask']);
  expect(labels({ closed: new Set(['run', 'each']) })).toEqual(['run']);
});

test('given a search, then the matches are shown with their ancestors, collapsed or not', () => {
  expect(labels({ closed: new Set(['each']), find: 'KEE' })).toEqual(['run', 'each', 'keep']);
  expect(labels({ closed, find: 'nothing like it' })).toEqual([]);
});

test('given runs that ended, then only failures count as failed', () => {
  const called = (label: string, kind: string, reason: string): Span => ({
    ...span(label, 1, 'rejected'),
    kind: 'run',
    ending: { status: 'rejected', reason, kind },
  });
  const runs = [span('run', 0), called('hold', 'requested', 'cancelled'), called('tax', 'unworkable', 'conflict')];
  expect(shownSpans(runs, { closed, only: 'failed' }).map(({ label }) => label)).toEqual(['run', 'tax']);
});

test('given a state, then the spans in it are shown with their ancestors', () => {
  expect(labels({ closed, only: 'failed' })).toEqual(['run', 'each', 'keep']);
  expect(labels({ closed, only: 'unfinished' })).toEqual(['run', 'ask']);
  expect(labels({ closed, only: 'unfinished', find: 'keep' })).toEqual([]);
});
