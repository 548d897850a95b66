import { expect, test } from 'vitest';
import type { EventRecord } from '../../../shared/api/index.ts';
import { buildStage, buildStory } from './build-story.ts';
import { firstQuestion, horizonsOf } from './queries.ts';

const SCORES = { score: 0.9, mase: 0.8, coverage: 0.81, width: 2 };

function eventsOf(...facts: [type: string, data: object][]): EventRecord[] {
  return facts.map(([type, data]) => ({ type, data }) as EventRecord);
}

const ASKED = eventsOf(
  ['build_asked', { trainer: 'forecasters' }],
  ['candidate_uploaded', { candidate: 'aa', bytes: 10, opset: 17 }],
);
const SCORED = [
  ...ASKED,
  ...eventsOf(
    ['baseline_scored', { baseline: 'theta', scores: SCORES }],
    ['candidate_disqualified', { candidate: 'cc', because: 'not_finite', detail: 'It returned NaN.' }],
    ['candidate_scored', { candidate: 'bb', scores: SCORES }],
    ['candidate_scored', { candidate: 'aa', scores: { ...SCORES, score: 0.5 } }],
    ['version_built', { version: 3, candidate: 'aa' }],
  ),
];

test('candidates come before baselines, the best one first, and the disqualified one says why', () => {
  const { models, candidates } = buildStory(SCORED);
  expect(models.map(({ name, isBest, disqualified }) => [name, isBest, disqualified])).toEqual([
    ['aa', true, undefined],
    ['bb', false, undefined],
    ['cc', false, 'It returned NaN.'],
    ['Theta', false, undefined],
  ]);
  expect(candidates).toEqual([{ candidate: 'aa', bytes: 10, opset: 17 }]);
});

test('the stage follows the run and its events', () => {
  const started = { status: 'started' as const };
  const waiting = { ...started, waits_for: ['answer' as const, 'upload' as const] };
  expect(buildStage(started, buildStory([]))).toBe('Starting');
  expect(buildStage(waiting, buildStory(ASKED))).toBe('Waiting for its trainer, forecasters');
  expect(buildStage(started, buildStory(ASKED))).toBe('Scoring');
  const ended = { status: 'succeeded' as const };
  const activated = buildStory([...SCORED, ...eventsOf(['version_activated', { version: 3, rule: 'gate' }])]);
  expect(buildStage(ended, activated)).toBe('Ended: version 3 activated');
  const refused = buildStory([...SCORED, ...eventsOf(['activation_refused', { version: 3, detail: 'Too weak.' }])]);
  expect(buildStage(ended, refused)).toBe('Ended: version 3 not activated');
  expect(refused.detail).toBe('Too weak.');
  const pending = { version: 3, for: 'shadow' as const, since: '2026-01-01T00:00:00.000Z' };
  expect(buildStage(ended, refused, pending)).toBe('Ended: version 3 waits for its shadow evaluation');
  expect(buildStage(ended, refused, { ...pending, version: 2 })).toBe('Ended: version 3 not activated');
  expect(buildStage({ status: 'rejected' }, buildStory(ASKED))).toBe('Ended without a version');
});

test('the figures of the gate and the latest grades of a shadow stay when an approval is refused', () => {
  const grades = { periods: 2, score: 0.1, active_score: 0.2 };
  const story = buildStory(
    eventsOf(
      ['version_built', { version: 3, candidate: 'aa' }],
      ['activation_refused', { version: 3, because: 'shadow', detail: 'Compared first.', score: 0.5 }],
      ['shadow_graded', { ...grades, periods: 1 }],
      ['shadow_graded', grades],
      ['shadow_passed', grades],
      ['activation_refused', { version: 3, because: 'not_approved', detail: 'Refused.' }],
    ),
  );
  expect(story).toMatchObject({ isActivated: false, detail: 'Refused.', gate: { score: 0.5 }, shadow: grades });
});

test('horizons are all up to the largest, or those that the function names', () => {
  expect(horizonsOf({ properties: { horizon: { type: 'integer', minimum: 1, maximum: 3 } } })).toEqual([1, 2, 3]);
  expect(horizonsOf({ properties: { horizon: { enum: [1, 12] } } })).toEqual([1, 12]);
  expect(horizonsOf(undefined)).toEqual([]);
});

test('a function shows the forecast of its first example that asks a question', () => {
  const build = { name: 'Build', input: { build: {} } };
  const third = { name: 'Only the third month', input: { series: 'north', horizon: 3 } };
  expect(firstQuestion({ details: { examples: [build, third] } })).toEqual({
    name: 'Only the third month',
    series: 'north',
    horizon: 3,
  });
  expect(firstQuestion({ details: { examples: [build] } })).toBeUndefined();
  expect(firstQuestion({ details: {} })).toBeUndefined();
});
