import { expect, test } from 'vitest';
import { chooseBar, chooseBest, type Evaluation, passGate, type Scores } from './index.ts';

const RULES = { beat: 0.02, wins: 0.6, coverageWithin: 0.1 };

function scores(score: number | null, mase: number | null = score): Scores {
  return { score, mase, coverage: 0.8, width: 1 };
}

function evaluation(judgeScores: (number | null)[], coverage: number | null = 0.8): Evaluation {
  const values = judgeScores.filter((score) => score !== null);
  const mean = values.reduce((sum, score) => sum + score, 0) / values.length;
  return {
    select: scores(mean),
    judge: { ...scores(mean), coverage },
    judgeWindows: judgeScores.map((score, at) => ({ origin: `200${at}`, score })),
    calibration: { steps: [] },
  };
}

test('the lowest score is the best; ties go by MASE, then bytes, then digest', () => {
  const a = { scores: scores(1, 2), bytes: 10, digest: 'a' };
  const b = { scores: scores(1 + 1e-10, 1), bytes: 10, digest: 'b' };
  expect(chooseBest([{ ...a, scores: scores(1.1) }, a])).toBe(a);
  expect(chooseBest([a, b])).toBe(b);
  expect(chooseBest([b, { ...b, bytes: 9 }])?.bytes).toBe(9);
  expect(chooseBest([b, { ...b, digest: 'a' }])?.digest).toBe('a');
  expect(chooseBest([])).toBeUndefined();
});

test('a score that is null loses to any other', () => {
  const none = { scores: scores(null), bytes: 1, digest: 'a' };
  const some = { scores: scores(5), bytes: 1, digest: 'b' };
  expect(chooseBest([none, some])).toBe(some);
  expect(chooseBest([none, { ...none, digest: 'b' }])).toBe(none);
});

test('the bar is the baseline that is best on the windows that select', () => {
  const baselines = { seasonal_naive: evaluation([3]), drift: evaluation([2]), theta: evaluation([2.5]) };
  expect(chooseBar(baselines)).toBe('drift');
});

test('a version that meets every rule passes', () => {
  const verdict = passGate(evaluation([0.9, 0.9, 1.1]), evaluation([1, 1, 1]), undefined, RULES, 0.8);
  expect(verdict).toMatchObject({ passes: true, missed: [], bar: 1, activeScore: null, wins: 2 / 3, coverage: 0.8 });
});

test('the limits themselves pass, whatever floating point makes of them', () => {
  const verdict = passGate(evaluation([0.98, 0.98, 0.98], 0.7), evaluation([1, 1, 1]), undefined, RULES, 0.8);
  expect(verdict.missed).toEqual([]);
});

test.each([
  ['bar', evaluation([0.99, 0.99]), undefined],
  ['active', evaluation([0.9, 0.9]), evaluation([0.9, 0.9])],
  // A tie is lost.
  ['wins', evaluation([0.5, 1, 1]), undefined],
  ['coverage', evaluation([0.5, 0.5], 0.69), undefined],
  ['coverage', evaluation([0.5, 0.5], null), undefined],
] as const)('a version that misses %s does not pass', (rule, version, active) => {
  const bar = evaluation(version.judgeWindows.map(() => 1));
  expect(passGate(version, bar, active, RULES, 0.8)).toMatchObject({ passes: false, missed: [rule] });
});

test.each([
  [[0.5], 1, 1],
  [[0.5, 1.1], 1, 1],
  [[0.5, 0.5, 1.1], 2, 2],
  [[0.5, 0.5, 1.1, 1.1], 2, 2],
  [[0.5, 0.5, 0.5, 1.1, 1.1], 3, 3],
])('the windows that must be won are whole ones: of %j, %d', (judged, needed, won) => {
  const verdict = passGate(evaluation(judged), evaluation(judged.map(() => 1)), undefined, RULES, 0.8);
  expect(verdict).toMatchObject({ passes: true, windows: { won, needed, judged: judged.length } });
});

test.each([0.7, 0.95, 1])('a coverage of %d is not too far below 0.8', (coverage) => {
  expect(passGate(evaluation([0.5, 0.5], coverage), evaluation([1, 1]), undefined, RULES, 0.8).missed).toEqual([]);
});
