import { expect, test } from 'vitest';
import { notesOf } from './changelog.ts';
import { auditObstacle, channelOf, obstaclesOf, type ReleaseState } from './obstacles.ts';

const ready: ReleaseState = {
  version: '1.2.3',
  repository: 'git+https://example.com/cuebook.git',
  author: 'Ada <ada@example.com>',
  homepage: 'https://example.com',
  changelog: '# Changelog\n\n## 1.2.3 (2026-11-23)\n\n- New.\n\n## 1.2.2 (2026-10-01)\n',
  changed: [],
  tags: ['v1.2.3'],
  isDatabaseKept: true,
};

test('given a clean, tagged commit with its entry in the changelog, then nothing is in the way', () => {
  expect(obstaclesOf(ready)).toEqual([]);
});

test.each<[string, Partial<ReleaseState>, string]>([
  ['a changed file', { changed: ['README.md'] }, 'Files differ from the commit: README.md.'],
  ['another tag', { tags: ['v1.2.2', '1.2.3'] }, 'The commit has no tag v1.2.3'],
  [
    'unreleased changes',
    { changelog: '# Changelog\n\n## Unreleased\n\n## 1.2.3\n' },
    'is "Unreleased"; it must be "## 1.2.3',
  ],
  ['no changelog', { changelog: '' }, 'The first entry of CHANGELOG.md is ""'],
  ['no kept database', { isDatabaseKept: false }, 'server/test/released/1.2.3.db.gz is missing'],
  ['no repository', { repository: undefined }, 'package.json names no repository'],
  ['no author', { author: '' }, 'package.json names no author'],
  ['no home page', { homepage: '' }, 'package.json names no home page'],
])('given %s, then it is in the way', (_, change, sentence) => {
  expect(obstaclesOf({ ...ready, ...change })).toEqual([expect.stringContaining(sentence)]);
});

test('given 1.2, then it is no version', () => {
  const changed = { version: '1.2', changelog: '## 1.2', tags: ['v1.2'] };
  expect(obstaclesOf({ ...ready, ...changed })).toEqual([expect.stringContaining('not of the form 1.2.3')]);
});

test('given a beta, then its database need not be kept', () => {
  const beta = {
    version: '1.3.0-beta.1',
    changelog: '## 1.3.0-beta.1',
    tags: ['v1.3.0-beta.1'],
    isDatabaseKept: false,
  };
  expect(obstaclesOf({ ...ready, ...beta })).toEqual([]);
});

test('the notes of a release are the first entry of the changelog, without its heading', () => {
  expect(notesOf(ready.changelog)).toBe('- New.');
  expect(notesOf('## 1.2.3\n\n### Runtime\n\n- Last.\n')).toBe('### Runtime\n\n- Last.');
});

test.each([
  ['1.2.3', 'latest'],
  ['0.1.0', 'latest'],
  ['1.3.0-beta.2', 'beta'],
  ['2.0.0-alpha', 'alpha'],
  ['1.2', undefined],
  ['v1.2.3', undefined],
  ['01.2.3', undefined],
])('%s is offered as %s', (version, channel) => {
  expect(channelOf(version)).toBe(channel);
});

test.each([
  ['{"metadata":{"vulnerabilities":{"total":0}}}', undefined],
  [
    '{"metadata":{"vulnerabilities":{"total":1}},"vulnerabilities":{"left-pad":{}}}',
    'npm audit knows weaknesses of left-pad.',
  ],
  ['{"message":"405 Method Not Allowed"}', 'npm audit could not be asked: 405 Method Not Allowed.'],
  ['<html>', 'npm audit printed no JSON: <html>'],
])('npm audit with %s', (printed, obstacle) => {
  expect(auditObstacle(printed)).toBe(obstacle);
});
