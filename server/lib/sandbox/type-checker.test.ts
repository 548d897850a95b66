import { afterEach, expect, test, vi } from 'vitest';
import type { CheckDone } from './job.ts';
import { createTypeChecker, type TypeChecker } from './index.ts';

const MISTYPED = 'export default () => { const count: number = "many"; return count; };';
/** Takes hundreds of milliseconds to check. */
const LONG = Array.from({ length: 5000 }, (_, n) => `const f${n} = (a: number) => a + ${n};\n`).join('') + MISTYPED;
const LOOKED: CheckDone = { kind: 'checked', issues: [], values: {}, insertions: [], places: {} };
const GIVEN_UP = /^The types were not checked, because/;
const ANYTHING = { Input: undefined, Output: undefined };

let types: TypeChecker;
afterEach(() => types.close());
afterEach(() => void vi.useRealTimers());

test('a check that waits too long for others is given up and says so, and they have their warnings', async () => {
  types = createTypeChecker({ waitMs: 1, deadlineMs: 60_000 });
  const first = types.check(LONG, LOOKED, ANYTHING);
  const others = await Promise.all(Array.from({ length: 50 }, () => types.check(MISTYPED, LOOKED, ANYTHING)));
  expect(new Set(others.flat().map(({ detail }) => detail))).toEqual(new Set([expect.stringMatching(GIVEN_UP)]));
  expect(others.every(({ length }) => length === 1)).toBe(true);
  expect(await first).toMatchObject([{ line: 5001, detail: expect.stringContaining('number') }]);
});

test('given a busy machine loads TypeScript for longer than a check may wait and take, then the first checks have their warnings', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  types = createTypeChecker();
  const checks = [1, 2].map(() => types.check(MISTYPED, LOOKED, ANYTHING));
  await vi.advanceTimersByTimeAsync(5000);
  for (const issues of await Promise.all(checks)) {
    expect(issues).toMatchObject([{ line: 1, detail: expect.stringContaining('number') }]);
  }
});

test('given TypeScript does not load in time, then a check is given up and says so', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  types = createTypeChecker();
  const check = types.check(MISTYPED, LOOKED, ANYTHING);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await check).toMatchObject([{ detail: expect.stringMatching(GIVEN_UP) }]);
});

test('a check that takes too long is given up and says so', async () => {
  types = createTypeChecker({ deadlineMs: 1 });
  expect(await types.check(LONG, LOOKED, ANYTHING)).toMatchObject([
    { line: 1, column: 1, detail: expect.stringMatching(GIVEN_UP) },
  ]);
});

test('a check whose turn comes in time has its warnings', async () => {
  types = createTypeChecker({ waitMs: 60_000, deadlineMs: 60_000 });
  const [first, second] = await Promise.all([1, 2].map(() => types.check(MISTYPED, LOOKED, ANYTHING)));
  expect(first).toHaveLength(1);
  expect(second).toEqual(first);
});
