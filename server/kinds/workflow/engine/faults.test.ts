import { expect, test } from 'vitest';
import { fault } from './faults.ts';

test('what others say is harmless in the detail of an error of the engine', () => {
  const { error } = fault('expression', 400, 'The expression failed: \u202eevil\u001b[31m');
  expect(error['detail']).toBe(String.raw`The expression failed: \u202eevil\u001b[31m`);
});
