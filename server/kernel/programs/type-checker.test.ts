import { afterEach, expect, test } from 'vitest';
import type { CheckDone } from './job.ts';
import { createTypeChecker, type TypeChecker } from './index.ts';

const MISTYPED = 'export default () => { const count: number = "many"; return count; };';
const LOOKED: CheckDone = { kind: 'checked', issues: [], values: {}, insertions: [], places: {} };
const ANYTHING = { Input: undefined, Output: undefined };

let types: TypeChecker;
afterEach(() => types.close());

test('a check that waits too long for others goes without warnings, and they have theirs', async () => {
  types = createTypeChecker({ waitMs: 1, deadlineMs: 60_000 });
  const first = types.check(MISTYPED, LOOKED, ANYTHING);
  const others = await Promise.all(Array.from({ length: 50 }, () => types.check(MISTYPED, LOOKED, ANYTHING)));
  expect(others.flat()).toEqual([]);
  expect(await first).toMatchObject([{ line: 1, detail: expect.stringContaining('number') }]);
});

test('a check whose turn comes in time has its warnings', async () => {
  types = createTypeChecker({ waitMs: 60_000, deadlineMs: 60_000 });
  const [first, second] = await Promise.all([1, 2].map(() => types.check(MISTYPED, LOOKED, ANYTHING)));
  expect(first).toHaveLength(1);
  expect(second).toEqual(first);
});
