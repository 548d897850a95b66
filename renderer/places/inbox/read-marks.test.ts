import { expect, test } from 'vitest';
import { isRead, markRead, markReadUntil, NOTHING_READ, readMarksOf } from './read-marks.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString();
const notice = (second: number) => ({ runId: `run-${second}`, at: at(second) });

test('a marked notice is read, and others stay unread', () => {
  const marks = markRead(NOTHING_READ, notice(2));
  expect([1, 2, 3].map((second) => isRead(marks, notice(second)))).toEqual([false, true, false]);
  expect(markRead(marks, notice(2))).toBe(marks);
});

test('marking up to a notice needs no mark for each one', () => {
  const marks = markReadUntil(markRead(markRead(NOTHING_READ, notice(2)), notice(9)), at(5));
  expect([2, 5, 6, 9].map((second) => isRead(marks, notice(second)))).toEqual([true, true, false, true]);
  expect(marks.runs).toHaveLength(1);
});

test('the marks are bounded: what is older than the oldest mark counts as read', () => {
  let marks = NOTHING_READ;
  for (let second = 0; second < 600; second += 1) marks = markRead(marks, notice(second));
  expect(marks.runs).toHaveLength(500);
  expect([0, 99, 100, 599].every((second) => isRead(marks, notice(second)))).toBe(true);
  expect(isRead(marks, notice(600))).toBe(false);
});

test('stored marks are parsed, and invalid data counts as no marks', () => {
  const marks = markRead(NOTHING_READ, notice(1));
  expect(readMarksOf(JSON.stringify(marks))).toEqual(marks);
  for (const text of [undefined, '{', '[]', '{"until":1,"runs":[]}', '{"until":"","runs":[1]}']) {
    expect(readMarksOf(text)).toEqual(NOTHING_READ);
  }
});
