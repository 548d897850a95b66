// Two folders in the same folder never import each other, types included: one of them is below the other.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = globSync('{server,shared,renderer,electron}/**/*.{ts,tsx}', {
  cwd: ROOT,
  exclude: ['server/test/**', '**/*.test.{ts,tsx}', '**/*.testing.ts', '**/testing.ts'],
});
const IMPORT = /(?:\bfrom |\bimport\(|^import )'(\.[^']+)'/gm;

/** The commands start the runtime, and the runtime serves the other interfaces. */
const EXCEPTED = ['server: interfaces and runtime'];

/** Where an import crosses from one folder into another: the folder that contains both, and their names there. */
function crossing(from: string, to: string): [parent: string, from: string, to: string] | undefined {
  const [a, b] = [path.dirname(from).split(path.sep), path.dirname(to).split(path.sep)];
  const depth = a.findIndex((name, index) => name !== b[index]);
  const [out, into] = [a[depth], b[depth]];
  if (depth < 1 || out === undefined || into === undefined) return undefined;
  return [a.slice(0, depth).join('/'), out, into];
}

/** @param files the text of each file, by its path */
function pairsOf(files: Iterable<readonly [file: string, text: string]>): string[] {
  const seen = new Set<string>();
  const pairs = new Set<string>();
  for (const [file, text] of files) {
    for (const [, imported = ''] of text.matchAll(IMPORT)) {
      const [parent, from, to] = crossing(file, path.join(path.dirname(file), imported)) ?? [];
      if (parent === undefined || from === undefined || to === undefined) continue;
      seen.add(`${parent}: ${from} and ${to}`);
      if (seen.has(`${parent}: ${to} and ${from}`)) pairs.add(`${parent}: ${[from, to].toSorted().join(' and ')}`);
    }
  }
  return [...pairs];
}

test('a pair is found, whichever way it imports', () => {
  const pairs = pairsOf([
    ['server/lib/a/one.ts', "import { two } from '../b/deep/two.ts';\nimport { own } from './own.ts';"],
    ['server/lib/b/deep/two.ts', "import type { One } from '../../a/one.ts';"],
    ['server/lib/a/loads.ts', "const three = await import('../c/three.ts');"],
    ['server/lib/c/three.ts', "import '../a/style.ts';"],
    ['server/lib/a/index.ts', "export { four } from '../../kernel/four.ts';"],
    ['server/lib/d/five.ts', "import { clock } from '../clock.ts';"],
  ]);
  expect(pairs).toEqual(['server/lib: a and b', 'server/lib: a and c']);
});

test('no two folders import each other', () => {
  const pairs = pairsOf(SOURCES.map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')]));
  expect(pairs.filter((pair) => !EXCEPTED.includes(pair))).toEqual([]);
  expect(EXCEPTED.filter((pair) => !pairs.includes(pair))).toEqual([]);
});
