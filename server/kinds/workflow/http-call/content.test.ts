import { expect, test } from 'vitest';
import { readContent } from './content.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test.each([
  ['application/json', '{"a":[1]}', { a: [1] }],
  ['Application/Problem+JSON; charset=utf-8', '"x"', 'x'],
  ['application/json', '\uFEFF1', 1],
  ['application/json', ' \n', null],
  ['text/plain', 'grüß', 'grüß'],
  ['text/csv; header=present', 'a,b', 'a,b'],
  ['application/xml', '<a/>', '<a/>'],
  ['image/svg+xml', '<svg/>', '<svg/>'],
  ['application/x-ndjson', '{}\n{}', '{}\n{}'],
  ['image/png', 'x', 'eA=='],
  ['application/octet-stream', '{}', 'e30='],
  [undefined, 'plain', 'plain'],
  ['text/plain', '', null],
])('an answer of the type %s that says %j is %j', (type, text, value) => {
  expect(readContent(bytes(text), type)).toMatchObject({ ok: true, value });
});

test('a text is read in the character set that it names; an unheard-of one is taken for UTF-8', () => {
  const latin = Uint8Array.from([0x67, 0x72, 0xfc, 0xdf]);
  expect(readContent(latin, 'text/plain; charset=ISO-8859-1')).toEqual({ ok: true, value: 'grüß' });
  expect(readContent(bytes('grüß'), 'text/plain; charset=klingon')).toEqual({ ok: true, value: 'grüß' });
  expect(readContent(latin, undefined)).toEqual({ ok: true, value: 'Z3L83w==', isBinary: true });
});

test.each(['{', '{"a":1,"a":2}', '"\\ud800"', '1e999', `${'['.repeat(600)}${']'.repeat(600)}`])(
  'JSON that cannot be kept (%s) is none',
  (text) => {
    expect(readContent(bytes(text), 'application/json').ok).toBe(false);
  },
);
