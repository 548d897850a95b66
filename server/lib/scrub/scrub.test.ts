import { expect, test } from 'vitest';
import { createScrubber, secretTexts } from './scrub.ts';

const SECRET = 'p/a+s "ü" wörd?';
const scrubber = createScrubber([SECRET, 'short', '12345678']);

test.each([
  SECRET,
  encodeURIComponent(SECRET),
  encodeURIComponent(SECRET).replaceAll(/%../g, (code) => code.toLowerCase()),
  encodeURIComponent(SECRET).replaceAll('%20', '+'),
  encodeURI(SECRET),
  encodeURIComponent(encodeURIComponent(SECRET)),
  encodeURIComponent(Buffer.from(SECRET).toString('base64')),
  JSON.stringify(SECRET).slice(1, -1),
  JSON.stringify(JSON.stringify(SECRET)).slice(3, -3),
  // As PHP and Python write JSON by default.
  String.raw`p\/a+s \"\u00fc\" w\u00F6rd?`,
  Buffer.from(SECRET).toString('base64'),
  Buffer.from(SECRET).toString('base64url'),
])('a secret written as %s is found', (written) => {
  expect(scrubber.text(`a ${written} b ${written}`)).toBe('a *** b ***');
  expect(Buffer.from(scrubber.bytes(Buffer.from(`a ${written} b`))).toString()).toBe('a *** b');
});

test('in JSON, names, texts and numbers are scrubbed, and everything else stays', () => {
  expect(scrubber.json({ [SECRET]: [SECRET, 12345678, 1234567, true, null, { a: 'short' }] })).toEqual({
    '***': ['***', '***', 1234567, true, null, { a: 'short' }],
  });
  const own = scrubber.json(JSON.parse('{"__proto__":{"a":"12345678"}}'));
  expect(JSON.stringify(own)).toBe('{"__proto__":{"a":"***"}}');
});

test('of two secrets of which one holds the other, the longer goes whole', () => {
  expect(createScrubber(['abcdefgh', 'abcdefgh-and-more']).text('abcdefgh-and-more abcdefgh')).toBe('*** ***');
});

test.each([
  ['Bearer tok_9f8e7d6c5b4a', 'tok_9f8e7d6c5b4a'],
  [`Basic ${Buffer.from('ada:her-password').toString('base64')}`, 'her-password'],
  [`Basic ${Buffer.from('ada:her-password').toString('base64')}`, 'ada:her-password'],
  ['ada:her-password', 'her-password'],
])('of the credential %j, %j alone is found', (secret, part) => {
  expect(createScrubber([secret]).text(`it was ${part}.`)).toBe('it was ***.');
});

test('bytes that are no text stay as they are', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => 255 - index);
  expect(Buffer.from(scrubber.bytes(bytes)).equals(bytes)).toBe(true);
});

test('what is secret inside of a secret that is JSON is one too', () => {
  const texts = secretTexts({ A: '{"client":{"id":"the client","secret":"inside it"}}', B: '{no JSON', C: 'plain' });
  expect(texts).toEqual(['{"client":{"id":"the client","secret":"inside it"}}', 'inside it', '{no JSON', 'plain']);
});

test.each(['', 'a', 'ab', 'abc'])('a secret in a longer text that is base64, behind %j, is found', (before) => {
  for (const encoding of ['base64', 'base64url'] as const) {
    const scrubbed = scrubber.text(Buffer.from(`${before}${SECRET}:behind it`).toString(encoding));
    expect(scrubbed).toContain('***');
    expect(Buffer.from(scrubbed.replaceAll('***', ''), encoding).toString()).not.toContain(SECRET.slice(1, -1));
    expect(scrubbed.length).toBeLessThan(30);
  }
});

test('a text of many backslashes takes no longer than its length', () => {
  const hidden = createScrubber(['\\\\\\\\end-of-it']);
  expect(hidden.text('\\'.repeat(200_000))).toHaveLength(200_000);
});

test('what stands instead of a secret is as it was asked for, also where a number was the secret', () => {
  const hidden = createScrubber(['12345678'], '[redacted]');
  expect(hidden.json({ a: 12_345_678, b: '12345678' })).toEqual({ a: '[redacted]', b: '[redacted]' });
});
