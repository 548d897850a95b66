import { expect, test } from 'vitest';
import { overviewOf } from './overview.ts';

test('a definition that says nothing of itself, or blanks, is told by what it does', () => {
  const told = ['**Needs**\n\nAny JSON value; {} if omitted.', '**Produces**\n\nAny JSON value.', '**Does** It.'];
  expect(overviewOf({}, ['**Does** It.'])).toBe(told.join('\n\n'));
  expect(overviewOf({ description: ' \n' }, ['**Does** It.'])).toBe(told.join('\n\n'));
});
