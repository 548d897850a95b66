import { expect, test } from 'vitest';
import { plainSuggestion } from './plain-suggestions.ts';

const suggested = (insertText: string, insertTextRules = 4) => {
  const range = { startLineNumber: 1, startColumn: 1, endLineNumber: 1, endColumn: 1 };
  const plain = plainSuggestion({ label: 'it', kind: 12, range, insertText, insertTextRules });
  return [plain.insertText, plain.insertTextRules];
};

test.each([
  ['a value', 'object', 'object'],
  ['a key', 'message: ', 'message: '],
  ['an escaped expression', '\\${ .a \\}', '${ .a }'],
  ['a backslash', 'a\\\\b', 'a\\b'],
])('%s without places to fill in is a plain text', (_what, snippet, text) => {
  expect(suggested(snippet)).toEqual([text, 0]);
});

test.each(['with: ${1:object}', 'do:\n  - $1', 'to: \\$ $0'])('%j keeps its places', (snippet) => {
  expect(suggested(snippet)).toEqual([snippet, 4]);
});

test('a plain text and other rules stay as they are', () => {
  expect(suggested('a \\$ b', 0)).toEqual(['a \\$ b', 0]);
  expect(suggested('object', 5)).toEqual(['object', 1]);
});
