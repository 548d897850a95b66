import { expect, test } from 'vitest';
import { addressOf, chosenStep, visitWords } from './chosen-step.ts';
import type { Span } from './spans.ts';

const span = (location: string, nth: number, iterations: number[] = []): Span => ({
  key: `${location}#${nth}`,
  kind: 'step',
  label: location,
  sort: 'set',
  location,
  nth,
  iterations,
  events: [],
  depth: 1,
  start: 0,
  state: 'finished',
});
const SPANS = [span('/do/0/a', 1), span('/do/1/b', 1, [0]), span('/do/1/b', 2, [1])];

test('given the address of a span, then the page chooses that span again', () => {
  for (const one of SPANS) expect(chosenStep(SPANS, addressOf(one, SPANS))?.span).toBe(one);
});

test('given the last visit of a step, then its address follows later visits', () => {
  const last = addressOf(span('/do/1/b', 2, [1]), SPANS);
  expect(last).toEqual({ step: '/do/1/b' });
  const later = span('/do/1/b', 3, [2]);
  expect(chosenStep([...SPANS, later], last)?.span).toBe(later);
  expect(addressOf(span('/do/1/b', 1, [0]), SPANS)).toEqual({ step: '/do/1/b', visit: 1 });
});

test('given a step that the run did not reach, then it is chosen without a span', () => {
  expect(chosenStep(SPANS, { step: '/do/9/z' })).toEqual({ location: '/do/9/z', visits: [], span: undefined });
  expect(chosenStep(SPANS, {})).toBeUndefined();
});

test('an iteration is counted from 0, and a visit from 1', () => {
  expect(visitWords(span('/do/1/b', 4, [0, 2]))).toBe('iteration 0.2');
  expect(visitWords(span('/do/0/a', 2))).toBe('visit 2');
});
