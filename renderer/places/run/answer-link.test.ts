import { expect, test } from 'vitest';
import type { EventRecord } from '../../../shared/api/index.ts';
import { openQuestions } from './answer-link.tsx';

function event(type: string, run: string, caller?: string): EventRecord {
  const calledBy = caller === undefined ? {} : { called_by: { run_id: caller, reference: '/do/0', run: 'workflow/w' } };
  return { type, data: { takes_answer: true }, metadata: { run_id: run, ...calledBy } } as unknown as EventRecord;
}

const TREE = [
  event('run_started', 'top'),
  event('run_started', 'left', 'top'),
  event('run_started', 'right', 'top'),
  event('run_started', 'first', 'left'),
  event('interaction_requested', 'first', 'left'),
  event('run_started', 'second', 'right'),
  event('interaction_requested', 'second', 'right'),
];

test('the open questions of a run include those of the runs it called, at any depth', () => {
  expect(openQuestions(TREE, 'top')).toEqual(['first', 'second']);
  expect(openQuestions(TREE, 'left')).toEqual(['first']);
  expect(openQuestions(TREE, 'second')).toEqual(['second']);
});

test.each(['request_answered', 'run_cancel_requested', 'run_rejected'])('after %s a question is closed', (type) => {
  expect(openQuestions([...TREE, event(type, 'first', 'left')], 'top')).toEqual(['second']);
});

test('a notice is not a question', () => {
  const notice = { ...event('interaction_requested', 'third', 'top'), data: { takes_answer: false } };
  expect(openQuestions([...TREE, event('run_started', 'third', 'top'), notice], 'top')).not.toContain('third');
});
