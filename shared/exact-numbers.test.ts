import { expect, test } from 'vitest';
import { isExact } from './exact-numbers.ts';

test('a number in JSON is exact unless it would be rounded', () => {
  const exact = ['9007199254740991', '1e21', '-0.10', '0', '-0', '1E+2', '5e-324'];
  expect(exact.filter((text) => !isExact(text))).toEqual([]);
  expect(['9007199254740993', '0.12345678901234567891', '1e999'].filter(isExact)).toEqual([]);
});
