import { expect, test } from 'vitest';
import { missingOfPublisher, publisherOf } from './publisher.ts';

const homepage = 'https://example.com';

test.each([
  ['Ada Lovelace <ada@example.com>'],
  ['Ada Lovelace <ada@example.com> (https://example.com/ada)'],
  [{ name: 'Ada Lovelace', email: 'ada@example.com' }],
])('given the author %j, then the package names its maintainer', (author) => {
  expect(publisherOf({ author, homepage })).toEqual({ maintainer: 'Ada Lovelace <ada@example.com>', homepage });
});

test.each([[undefined], [''], ['Ada Lovelace'], ['<ada@example.com>'], ['Ada <ada>'], [{ name: 'Ada Lovelace' }]])(
  'given the author %j, then it is missing',
  (author) => {
    const fields = { homepage, ...(author === undefined ? {} : { author }) };
    expect(missingOfPublisher(fields)).toEqual([expect.stringContaining('add "author": "NAME <ADDRESS>"')]);
    expect(() => publisherOf(fields)).toThrow('names no author with an address');
  },
);

test('given no home page, then it is missing', () => {
  const fields = { author: 'Ada <ada@example.com>' };
  expect(missingOfPublisher(fields)).toEqual([expect.stringContaining('add "homepage"')]);
  expect(missingOfPublisher({ ...fields, homepage: 'example.com' })).toHaveLength(1);
});
