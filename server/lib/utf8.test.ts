import { expect, test } from 'vitest';
import { decodeUtf8 } from './utf8.ts';

const LATIN = Buffer.from('Gr\u00f6\u00dfe', 'latin1');

test.each<[string, Uint8Array, string]>([
  ['text', Buffer.from('Größe 🦉 \ufffd'), 'Größe 🦉 \ufffd'],
  ['text with a byte order mark', Buffer.from('\ufeffGröße'), 'Größe'],
  ['no text', Buffer.from(''), ''],
])('%s is decoded', (_name, bytes, text) => {
  expect(decodeUtf8(bytes)).toEqual({ ok: true, text });
});

test.each<[string, Uint8Array, string]>([
  ['Latin-1', LATIN, 'The byte at offset 2 (0xF6) is not valid.'],
  [
    'Latin-1 behind characters of several bytes',
    Buffer.concat([Buffer.from('\ufffdö🦉'), LATIN]),
    'The byte at offset 11 (0xF6) is not valid.',
  ],
  ['a character that is cut off', Buffer.from('aö').subarray(0, 2), 'The byte at offset 1 (0xC3) is not valid.'],
  ['a lone surrogate', Buffer.from([0x61, 0xed, 0xa0, 0x80]), 'The byte at offset 1 (0xED) is not valid.'],
  ['an overlong form', Buffer.from([0xc0, 0xaf]), 'The byte at offset 0 (0xC0) is not valid.'],
  ['UTF-16 with a byte order mark', Buffer.from('\ufeffa', 'utf16le'), 'It is UTF-16 text.'],
  ['UTF-16 in the other order', Buffer.from('\ufeffa', 'utf16le').swap16(), 'It is UTF-16 text.'],
  ['UTF-16 without a mark', Buffer.from('{"a":1}', 'utf16le'), 'It is UTF-16 text.'],
  ['UTF-16 in the other order without a mark', Buffer.from('{"a":"ö"}', 'utf16le').swap16(), 'It is UTF-16 text.'],
  ['UTF-32', Buffer.from('{\0\0\0}\0\0\0'), 'It is UTF-32 text.'],
  ['UTF-32 with a mark', Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), 'It is UTF-32 text.'],
  ['UTF-32 in the other order', Buffer.from('\0\0\0{\0\0\0}'), 'It is UTF-32 text.'],
])('%s is refused', (_name, bytes, words) => {
  expect(decodeUtf8(bytes)).toEqual({ ok: false, fault: `is not UTF-8 text; save it as UTF-8. ${words}` });
});
