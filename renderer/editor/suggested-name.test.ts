import { describe, expect, test } from 'vitest';
import { nameAt, placeOf, suggestedName, wrongName } from './suggested-name.ts';

describe('the suggested name', () => {
  test.each([
    ["Property 'txt' does not exist on type 'Input'. Did you mean 'text'?", 'text'],
    ['Line 1: `inptu` is not a valid export; did you mean `input`?', 'input'],
    ['The playbook has no `computation/add-tx`. Did you mean computation/add-tax?', 'computation/add-tax'],
    ['No definition emits `ticket.opend`; did you mean `ticket.opened`, which is emitted?', 'ticket.opened'],
    ['There is nothing like it.', undefined],
  ])('in %s is %s', (sentence, name) => {
    expect(suggestedName(sentence)).toBe(name);
  });
});

describe('the wrong name', () => {
  test.each([
    ['The output of `computation/score` has no field `scor`; did you mean `score`?', 'scor'],
    ['It has an unknown field `plann` (did you mean `plan`?).', 'plann'],
    ["Property 'txt' does not exist on type 'Input'. Did you mean 'text'?", undefined],
  ])('in %s is %s', (sentence, name) => {
    expect(wrongName(sentence)).toBe(name);
  });

  test.each([
    ['scor', '  - b: { set: { of: ${ .scor } } }', 20, 25],
    ['plann', '    with: { plann: free }', 20, 13],
    ['scor', '  - b: { set: { of: ${ .scores + .scor } } }', 20, 35],
    ['scor', '  - b: { set: { of: ${ .score } } }', 20, undefined],
  ])('%s stands in "%s", near %i, at %s', (name, line, near, column) => {
    expect(placeOf(name, line, near)?.startColumn).toBe(column);
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
