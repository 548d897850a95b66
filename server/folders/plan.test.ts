import { expect, test } from 'vitest';
import { type FolderDefinition, planChanges, type PresentDefinition } from './plan.ts';

const wanted = (type: FolderDefinition['type'], name: string, sha256 = 'new'): FolderDefinition => ({
  type,
  name,
  sha256,
});
const present = (name: string, sha256: string, status: 'active' | 'retired' = 'active'): PresentDefinition => ({
  type: 'computation',
  name,
  status,
  sha256,
});

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
