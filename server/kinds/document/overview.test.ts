import { expect, test } from 'vitest';
import { overviewOf } from './overview.ts';

test('a definition without a description, or with a blank one, is described by what it does', () => {
  const paragraphs = ['**Needs**\n\nAny JSON value; {} if omitted.', '**Produces**\n\nAny JSON value.', '**Does** It.'];
  expect(overviewOf({}, ['**Does** It.'])).toBe(paragraphs.join('\n\n'));
  expect(overviewOf({ description: ' \n' }, ['**Does** It.'])).toBe(paragraphs.join('\n\n'));
});
