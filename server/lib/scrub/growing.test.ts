import { expect, test } from 'vitest';
import { createGrowingScrubber } from './growing.ts';
import { createScrubber } from './scrub.ts';

const SECRETS: Readonly<Record<string, string>> = {
  'a key': 'sk-proj-4711aB_cdEF',
  'a key that begins with signs': '--==key/of+it==',
  words: 'canary of a "header" 4712',
  'a pair': `Basic ${Buffer.from('ada:her-password').toString('base64')}`,
  lines: '-----BEGIN KEY-----\nAbCd/+12\n-----END KEY-----\n',
  'percent signs': 'a%41b%42c%c3%bcd',
  'a row of backslashes': String.raw`C:\\\\share\\key-4711`,
  'a sign of two halves': 'key-\u{1F511}-4711\u{1F511}',
  'no letter': '!!?!!?!!?!!',
  'other letters': 'пароль-на-двери',
};

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const WRITINGS: Readonly<Record<string, (secret: string) => string>> = {
  itself: (secret) => secret,
  'in a URL': encodeURIComponent,
  'in a URL in a URL': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'in JSON': inJson,
  'in JSON in JSON': (secret) => inJson(inJson(secret)),
  'as \\u': (secret) =>
    secret.replaceAll(/[^A-Za-z0-9]/gs, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'in base64': (secret) => Buffer.from(secret).toString('base64'),
  'within base64': (secret) => Buffer.from(`x${secret}y`).toString('base64'),
};

function grown(secrets: readonly string[], pieces: Iterable<string>): string {
  const growing = createGrowingScrubber(secrets, '[redacted]');
  let given = '';
  for (const piece of pieces) given += growing.add(piece);
  return given + growing.end();
}

const cases = Object.keys(SECRETS).flatMap((kind) => Object.keys(WRITINGS).map((writing) => [kind, writing] as const));

test.each(cases)('%s %s is found wherever the text is split', (kind, writing) => {
  const secret = SECRETS[kind] ?? '';
  const written = WRITINGS[writing]?.(secret) ?? '';
  const text = `It is -s ${written}${written}, ${secret.slice(0, 9)} and ${secret.slice(0, 4)}${written}.`;
  const whole = createScrubber([secret], '[redacted]').text(text);
  expect(whole).not.toContain(written);
  expect(grown([secret], text)).toBe(whole);
  for (let at = 1; at < text.length; at += 1) expect(grown([secret], [text.slice(0, at), text.slice(at)])).toBe(whole);
});

test('overlapping secrets are found', () => {
  const secrets = ['first-secret-of', 'secret-of-another'];
  for (const text of ['a first-secret-of-another b', 'a first-secret-of b', 'a first secret-of-another b']) {
    expect(grown(secrets, text)).toBe(createScrubber(secrets, '[redacted]').text(text));
  }
});

test('only an end that may begin a secret is held back', () => {
  const growing = createGrowingScrubber([SECRETS['a key'] ?? '']);
  expect(growing.add('A line, 日本語 too. ')).toBe('A line, 日本語 too. ');
  expect(growing.add('This key: sk-proj')).toBe('This key: ');
  expect(growing.add('ector')).toBe('sk-projector');
  expect(growing.add('')).toBe('');
  expect(growing.end()).toBe('');
});

test('long rows of backslashes and percent signs are scanned in linear time', () => {
  const growing = createGrowingScrubber(['\\\\end-of-it', 'a%41b%42c']);
  for (const sign of ['\\', '%', '%25']) {
    const text = sign.repeat(50_000);
    expect(growing.add(text).length + growing.end().length).toBe(text.length);
  }
});

test('what is longer than any encoding of a secret is passed on: holding it back would cost more with every piece', () => {
  const growing = createGrowingScrubber(['sk-proj-4711aB_cdEF']);
  expect(growing.add('sk')).toBe('');
  let given = '';
  for (let piece = 0; piece < 1000 && given === ''; piece += 1) given = growing.add('%25');
  expect(given).toMatch(/^sk(?:%25)+$/);
});

test('without secrets every piece is returned unchanged', () => {
  expect(createGrowingScrubber([]).add('sk-')).toBe('sk-');
});
