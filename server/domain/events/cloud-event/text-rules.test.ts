import { expect, test } from 'vitest';
import { isMediaType } from './text-rules.ts';

test.each([
  'application/json',
  'APPLICATION/JSON',
  'application/cloudevents+json;charset=UTF-8',
  'text/plain; charset=utf-8',
  'text/plain ; charset=utf-8 ; format=flowed',
  'multipart/mixed; boundary="a; b=\\"c\\""',
  'text/plain; a=""',
  'x/*',
])('given %s, then it is a media type', (text) => {
  expect(isMediaType(text)).toBe(true);
});

test.each([
  '',
  'json',
  'application/',
  '/json',
  'application/json/x',
  'application / json',
  ' application/json',
  'application/json ',
  'application/json;',
  'application/json; charset',
  'application/json; charset=',
  'application/json; =utf-8',
  'application/json; charset = utf-8',
  'application/json; a="b',
  'application/json; a="b"c',
  'application/json, text/plain',
  'application/jsön',
  'application/json\n',
])('given %j, then it is none', (text) => {
  expect(isMediaType(text)).toBe(false);
});

test('given a very long text that is none, then it is refused at once', () => {
  const started = process.hrtime.bigint();
  for (const piece of [' ', ';', '; a=b', '; a="', '\\"', 'a']) isMediaType(`text/plain${piece.repeat(240_000)}\n`);
  expect(Number(process.hrtime.bigint() - started) / 1e9).toBeLessThan(2);
});
