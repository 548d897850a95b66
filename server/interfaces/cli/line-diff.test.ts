import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff } from './line-diff.ts';

test('changed lines are shown with two lines of context and their line numbers', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\ni\n';
  expect(lineDiff(before, before)).toEqual([]);
  expect(lineDiff(before, before.replace('b', 'B').replace('i', 'i\nj'))).toEqual([
    '@@ -1 +1 @@',
    ' a',
    '-b',
    '+B',
    ' c',
    ' d',
    '@@ -8 +8 @@',
    ' h',
    ' i',
    '+j',
  ]);
  expect(lineDiff('a\n', 'a')).toEqual(['@@ -1 +1 @@', ' a', '-']);
});

test('beyond the maximum number of changes, all lines are removed and all are added', () => {
  const [before, after] = [2100, 2200].map((length) => Array.from({ length }, (_, n) => `${length} ${n}`).join('\n'));
  const shown = lineDiff(before ?? '', after ?? '');
  expect(shown.slice(1, 2101).every((line) => line.startsWith('-'))).toBe(true);
  expect(shown).toHaveLength(1 + 2100 + 2200);
});

test('the removed and added lines turn one text into the other', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const rest = (text: string, mark: string): string[] => {
        const left = text.split('\n');
        for (const line of lineDiff(before, after)) {
          if (line.startsWith(mark)) left.splice(left.indexOf(line.slice(1)), 1);
        }
        return left.toSorted();
      };
      expect(rest(before, '-')).toEqual(rest(after, '+'));
    }),
  );
});
