import { expect, test } from 'vitest';
import { fieldsOf } from './step-fields.ts';

const labelled = (task: Parameters<typeof fieldsOf>[0]) =>
  Object.fromEntries(
    fieldsOf(task).map(({ label, kind, value }) => [label, value === undefined ? kind : [kind, value]]),
  );

test('a call has its definition, its input and the fields of every step', () => {
  expect(labelled({ call: 'computation/tax', with: { a: 1 }, output: { as: '.tax' }, then: 'end' })).toEqual({
    Calls: ['called', 'computation/tax'],
    'With (JSON)': ['json', { a: 1 }],
    If: 'text',
    Then: ['target', 'end'],
    'Input from': 'text',
    'Output as': ['text', '.tax'],
    'Export as': 'text',
  });
});

test('each case of a switch has its condition and its target', () => {
  const task = { switch: [{ 'a/b': { when: '.x', then: 'big' } }, { rest: { then: 'end' } }] };
  expect(labelled(task)).toMatchObject({
    'a/b: when': ['text', '.x'],
    'a/b: then': ['target', 'big'],
    'rest: when': 'text',
    'rest: then': ['target', 'end'],
  });
});

test('a value that is no text where most are is edited as JSON', () => {
  expect(labelled({ wait: { seconds: 5 }, output: { as: { a: 1 } } })).toMatchObject({
    'Wait (JSON)': ['json', { seconds: 5 }],
    'Output as (JSON)': ['json', { a: 1 }],
  });
  expect(labelled({ for: { in: [{ n: 1 }] }, do: [] })).toMatchObject({ 'In (JSON)': ['json', [{ n: 1 }]] });
});

test('what is no task has no fields', () => {
  expect(fieldsOf('text')).toEqual([]);
  expect(fieldsOf(undefined)).toEqual([]);
});
