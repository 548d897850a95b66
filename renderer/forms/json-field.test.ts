import { expect, test } from 'vitest';
import { jsonError } from './json-field.tsx';

test('a number that would be rounded is an error of its text', () => {
  expect(jsonError('{ "id": [1, 9007199254740993] }')).toBe(
    'the number 9007199254740993 has too many digits to be exact',
  );
  expect(jsonError('{ "id": [1, 19.99, 1e3, -0.0], "text": "9007199254740993" }')).toBeUndefined();
  expect(jsonError('{ "id": ')).toMatch(/JSON/);
});
