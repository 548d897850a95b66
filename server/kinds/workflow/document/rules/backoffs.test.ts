import { expect, test } from 'vitest';
import { createChecking } from '../checking.testing.ts';

const { issuesOf } = createChecking();

const retried = (backoff: string): string =>
  `do:\n  - a: { try: [], catch: { retry: { delay: PT1S, backoff: ${backoff} } } }`;
const named = (backoff: string): string => `do: []\nuse: { retries: { r: { backoff: ${backoff} } } }`;

test.each([
  [
    '{ exponential: { factor: 3, maxDelay: PT1S } }',
    '/exponential/maxDelay Unknown field `maxDelay`; did you mean `maximum`?',
  ],
  ['{ exponential: { max: PT1S } }', '/exponential/max Unknown field `max`; did you mean `maximum`?'],
  [
    '{ exponential: { maximumInterval: PT1S } }',
    '/exponential/maximumInterval Unknown field `maximumInterval`; did you mean `maximum`?',
  ],
  ['{ exponential: { multiplier: 3 } }', '/exponential/multiplier Unknown field `multiplier`; did you mean `factor`?'],
  ['{ exponential: { fctor: 3 } }', '/exponential/fctor Unknown field `fctor`; did you mean `factor`?'],
  ['{ exponential: { jitter: {} } }', '/exponential/jitter Unknown field `jitter`; write one of `factor`, `maximum`.'],
  ['{ exponential: { factor: 0.5 } }', '/exponential/factor `factor` must be a number of 1 or more'],
  ["{ exponential: { factor: '3' } }", '/exponential/factor `factor` must be a number'],
  ['{ exponential: { maximum: 30 } }', '/exponential/maximum `maximum` must be a duration'],
  ['{ exponential: { maximum: { sconds: 3 } } }', '/exponential/maximum `maximum` must be a duration'],
  ["{ exponential: { maximum: '${ .x > }' } }", '/exponential/maximum The expression is not valid'],
  ['{ linear: { factor: 3 } }', '/linear/factor `linear` has no field `factor`; it can only be set in `exponential`.'],
  ['{ constant: { delay: PT1S } }', '/constant/delay `constant` has no field `delay`; leave it out.'],
  ['{ exponential: {}, factor: 3 }', '/factor `factor` can only be set in `exponential`.'],
  [
    '{ exponentail: {} }',
    ' `backoff` must be { constant: {} }, { linear: {} } or { exponential: { factor, maximum } } (did you mean `exponential` by `exponentail`?).',
  ],
])('%s is refused where it is wrong', async (backoff, words) => {
  expect(await issuesOf(retried(backoff))).toEqual([expect.stringContaining(`/do/0/a/catch/retry/backoff${words}`)]);
  expect(await issuesOf(named(backoff))).toEqual([expect.stringContaining(`/use/retries/r/backoff${words}`)]);
});

test.each([
  '{ exponential: { factor: 1.5, maximum: PT1M } }',
  "{ exponential: { maximum: '${ .longest }' } }",
  '{ exponential: { maximum: { minutes: 1 } } }',
  '{ exponential: {} }',
  '{ linear: {} }',
  '{ constant: {} }',
])('%s is accepted', async (backoff) => {
  expect(await issuesOf(retried(backoff))).toEqual([]);
});
