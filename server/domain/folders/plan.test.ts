import { expect, test } from 'vitest';
import { type DigestedDefinition, planChanges, planDigest, type PresentDefinition } from './plan.ts';

const wanted = (type: DigestedDefinition['type'], name: string, sha256 = 'new'): DigestedDefinition => ({
  type,
  name,
  sha256,
});
const present = (
  name: string,
  sha256: string,
  status: 'active' | 'retired' = 'active',
  version = 1,
): PresentDefinition => ({ type: 'computation', name, status, version, sha256 });

test('a folder is compared with what is there, and workflows come last', () => {
  const folder = [
    wanted('workflow', 'a-flow'),
    wanted('computation', 'same', 'old'),
    wanted('computation', 'changed'),
    wanted('computation', 'fresh'),
    wanted('computation', 'gone'),
  ];
  const had = [
    present('same', 'old'),
    present('changed', 'old'),
    present('gone', 'old', 'retired'),
    present('extra', 'old'),
    present('extra-gone', 'old', 'retired'),
  ];
  const changes = (prune: boolean) => planChanges(folder, had, prune).map(({ name, change }) => `${name}: ${change}`);
  expect(changes(false)).toEqual([
    'changed: update',
    'extra: missing',
    'fresh: create',
    'gone: retired',
    'same: unchanged',
    'a-flow: create',
  ]);
  expect(changes(true)).toContain('extra: retire');
});

test('plans have one digest when they do the same from the same versions', () => {
  const digest = (had: PresentDefinition[], prune: boolean) =>
    planDigest({
      playbook: 'unchanged',
      definitions: planChanges([wanted('computation', 'one'), wanted('computation', 'two', 'old')], had, prune),
    });
  const had = [present('one', 'old'), present('two', 'old')];
  const same = digest(had, false);
  expect(digest([...had, present('of-others', 'x')], false)).toBe(same);
  expect(digest([...had, present('of-others', 'x')], true)).not.toBe(digest(had, true));
  expect(digest([present('one', 'changed', 'active', 2), present('two', 'old')], false)).not.toBe(same);
  expect(digest([present('one', 'old'), present('two', 'changed')], false)).not.toBe(same);
  expect(digest([present('one', 'old'), present('two', 'old', 'retired')], false)).not.toBe(same);
});
