import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import { JsonText } from '../../lib/json-text.ts';
import { linkTexts, MOST_SHOWN, plainAnswer, shorten } from './links.ts';

const place = ({ name = 'x' }: JsonObject, member: string): string => `cuebook://${String(name)}?part=/${member}`;
const large = 'x'.repeat(MOST_SHOWN);

test('a small answer is returned as it is, and a large member as its size and a link', async () => {
  const small = { name: 'a', list: [1, 2], text: 'x' };
  expect(await shorten(small, {}, place)).toEqual({ value: small, links: [] });
  const { value, links } = await shorten({ ...small, large, many: [large] }, {}, place);
  expect(value).toEqual({
    ...small,
    large_bytes: MOST_SHOWN + 2,
    large_resource: 'cuebook://a?part=/large',
    many_bytes: MOST_SHOWN + 4,
    many_resource: 'cuebook://a?part=/many',
  });
  expect(links.map(({ name, bytes }) => [name, bytes])).toEqual([
    ['large', MOST_SHOWN + 2],
    ['many', MOST_SHOWN + 4],
  ]);
});

test('the entries of a list are shortened one by one', async () => {
  const { value } = await shorten({ list: [{ name: 'a', large }, { name: 'b' }] }, {}, place);
  const [first, second] = value['list'] as JsonObject[];
  expect(first).toEqual({ name: 'a', large_bytes: MOST_SHOWN + 2, large_resource: 'cuebook://a?part=/large' });
  expect(second).toEqual({ name: 'b' });
});

test('the entries of a long list have less room each, so that the answer stays small', async () => {
  const entries = Array.from({ length: 1000 }, (_, index) => ({ name: `n${index}`, schema: 'x'.repeat(10_000) }));
  const { value, links } = await shorten({ list: entries }, {}, place);
  expect(jsonBytes(value)).toBeLessThan(200_000);
  expect(links).toHaveLength(1000);
  expect((value['list'] as JsonObject[])[7]).toMatchObject({ name: 'n7', schema_bytes: 10_002 });
});

test('lists that are read while they are sent are read to their ends, and what JSON lacks is left out', async () => {
  async function* items(): AsyncGenerator<object> {
    yield { a: 1, b: undefined };
    yield { a: 2 };
  }
  expect(await plainAnswer({ items: items(), none: undefined, list: [undefined, 1] })).toEqual({
    items: [{ a: 1 }, { a: 2 }],
    list: [null, 1],
  });
});

test('a text that was never parsed is a link, at the top and in a member', () => {
  const text = new JsonText('[1,2]');
  const answer = { name: 'e', data: { 'a/b': text, c: 1 }, whole: text } as unknown as JsonObject;
  const { value, links } = linkTexts(answer, {}, place);
  const at = 'cuebook://e?part=/data/a~1b';
  expect(value as Json).toEqual({
    name: 'e',
    data: { 'a/b_bytes': 5, 'a/b_resource': at, c: 1 },
    whole_bytes: 5,
    whole_resource: 'cuebook://e?part=/whole',
  });
  expect(links).toHaveLength(2);
});
