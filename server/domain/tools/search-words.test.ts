import { expect, test } from 'vitest';
import { scoreOf, summaryOf, wordsOf } from './search-words.ts';

const tool = {
  name: 'search_issues',
  description: 'Finds issues by their words. Returns pages.',
  argumentNames: () => ['repoName', 'search'],
  inputSchema: () => ({ type: 'object' }),
};

test.each([
  [['search'], 5],
  [['SEARCH_ISSUES'], 3 + 3 + 2 + 3 + 1],
  [['issues'], 4],
  [['repo'], 2],
  [['repoName'], 6],
  [['pages'], 1],
  [['search', 'pages'], 6],
  [['sear'], 0],
])('%j scores %d', (terms, score) => expect(scoreOf(tool, terms)).toBe(score));

test('a word is divided at signs and at changes of case', () => {
  expect(wordsOf('getHTTPStatus_v2.page-size')).toEqual([
    'gethttpstatus_v2.page-size',
    'get',
    'http',
    'status',
    'v2',
    'page',
    'size',
  ]);
});

test.each([
  ['Reads a file. More words.', 'Reads a file.'],
  ['Reads version 1.2 of it', 'Reads version 1.2 of it'],
  ['  On\ntwo lines', 'On two lines'],
  ['x'.repeat(400), 'x'.repeat(300)],
  ['', ''],
  ['Reads \u001b[1mall\u202e.', 'Reads \\u001b[1mall\\u202e.'],
  [`${'x'.repeat(70_000)}. More.`, 'x'.repeat(300)],
])('the summary of %j', (description, summary) => expect(summaryOf(description)).toBe(summary));

test('of a description the first 64 KiB are searched', () => {
  const long = { ...tool, description: `early ${'x '.repeat(40_000)} late` };
  expect([scoreOf(long, ['early']), scoreOf(long, ['late'])]).toEqual([1, 0]);
});
