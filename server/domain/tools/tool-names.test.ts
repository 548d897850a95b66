import { expect, test } from 'vitest';
import type { ToolServer } from '../../settings/index.ts';
import { isAllowed } from './tool-names.ts';

test.each([
  [undefined, 'anything', true],
  [[], 'anything', false],
  [['*'], 'anything', true],
  [['read'], 'read', true],
  [['read'], 'reader', false],
  [['search_*', 'read'], 'search_issues', true],
  [['search_*'], 'research_issues', false],
  [['*_file'], 'read_file', true],
  [['a*b*c'], 'a-b-b-c', true],
  [['a*b*c'], 'a-c-b', false],
  [['ab*ba'], 'aba', false],
  [['a.c'], 'abc', false],
])('%j allows %s: %s', (allowed, tool, isTaken) => {
  expect(isAllowed({ allowed } as ToolServer, tool)).toBe(isTaken);
});
