// The short form of the hostile program; `npm run hostile` is the long one.
import { expect, test } from 'vitest';
import { HOSTILE_CASES } from './cases/index.ts';
import { figureWords, runCases } from './run-cases.ts';

/** A quiet machine stays under 1 s; one that runs other tests beside this one is given more. */
const MOST_MS = 5000;

test('a server that is sent hostile documents answers everybody else meanwhile', { timeout: 300_000 }, async () => {
  const cases = HOSTILE_CASES.filter(({ isShort }) => isShort);
  const { cases: results, overall, stoppedIn } = await runCases(cases, { copies: 1, caseMs: 400 });
  const held = results.filter(({ felt, wasKilled }) => wasKilled || felt.max >= MOST_MS);
  expect(held.map(({ name, felt }) => `${name}: ${figureWords(felt)}`)).toEqual([]);
  expect(
    results.reduce((sum, { failures }) => sum + failures, 0),
    figureWords(overall),
  ).toBe(0);
  expect(stoppedIn).toBeDefined();
});
