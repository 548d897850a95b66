// The changelog says each thing once, and to its end.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const text = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');
const items = text
  .split(/\n(?:- |\n)/)
  .slice(1)
  .map((item) => item.replaceAll(/\s+/g, ' ').trim());
const sentences = items.flatMap((item) => item.split(/(?<=[.!?]) (?=[A-Z`*])/));

const repeated = (texts: readonly string[]): string[] => texts.filter((one, at) => texts.indexOf(one) !== at);

test('every entry is whole', () => {
  expect(items.filter((item) => item !== '' && !item.startsWith('#') && !/[.:)]$/.test(item))).toEqual([]);
});

test('no sentence stands twice, and no entry begins as another one does', () => {
  expect(repeated(sentences.filter(({ length }) => length > 40))).toEqual([]);
  expect(repeated(items.filter(({ length }) => length > 60).map((item) => item.slice(0, 60)))).toEqual([]);
});
