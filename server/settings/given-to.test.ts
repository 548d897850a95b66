import { expect, test } from 'vitest';
import { serves } from './given-to.ts';

const place = { org: 'acme', playbook: 'desk' };

test.each([
  [undefined, undefined, 'local', true],
  [undefined, undefined, 'published', false],
  [['*'], undefined, 'published', true],
  [['acme'], ['desk'], 'published', true],
  [['acme'], ['desk'], 'local', true],
  [['other'], undefined, 'local', false],
  [undefined, ['other', '*'], 'local', true],
  [undefined, ['des', 'desk2', 'de*', 'DESK'], 'local', false],
  [[], undefined, 'local', false],
  [undefined, [], 'local', false],
] as const)('orgs %j and playbooks %j in %s mode: %j', (orgs, playbooks, mode, expected) => {
  expect(serves({ orgs, playbooks }, place, mode)).toBe(expected);
});
