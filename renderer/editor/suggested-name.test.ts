import { describe, expect, test } from 'vitest';
import { suggestedName, nameAt } from './suggested-name.ts';

describe('the suggested name', () => {
  test.each([
    ["Property 'txt' does not exist on type 'Input'. Did you mean 'text'?", 'text'],
    ['Line 1: `inptu` is not a valid export; did you mean `input`?', 'input'],
    ['The playbook has no `computation/add-tx`. Did you mean computation/add-tax?', 'computation/add-tax'],
    ['There is nothing like it.', undefined],
  ])('in %s is %s', (sentence, name) => {
    expect(suggestedName(sentence)).toBe(name);
  });
});

describe('the name at a column', () => {
  test.each([
    ['export default (input) => input.txt;', 33, { text: 'txt', startColumn: 33 }],
    ['  - tax: { call: computation/add-tx }', 18, { text: 'computation/add-tx', startColumn: 18 }],
    ['modle: openai/gpt', 1, { text: 'modle', startColumn: 1 }],
    ['a = b', 4, undefined],
  ])('of %s at %i', (line, column, name) => {
    expect(nameAt(line, column)).toEqual(name);
  });
});
