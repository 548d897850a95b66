import { expect, test } from 'vitest';
import { isAbsoluteUri, isUriReference } from './uri.ts';

test.each([
  '/shop/orders',
  'shop',
  'shop:orders',
  'urn:isbn:0451450523',
  'mailto:owner@example.com',
  'https://example.com',
  'https://user:word@example.com:8080/a/b;c=d?e=f/g?h#i/j?k',
  'https://example.com:/',
  'http://[2001:db8::1]:80/',
  'http://[::ffff:192.0.2.1]/',
  'http://[v7.a:b]/',
  'file:///etc/hosts',
  '//example.com/a',
  './a:b',
  '../a',
  '?query',
  '#fragment',
  'a%20b',
  '%C3%A9',
  "-._~!$&'()*+,;=@",
  '',
])('given %s, then it is a URI reference', (text) => {
  expect(isUriReference(text)).toBe(true);
});

test.each([
  'a b',
  'é',
  '/orders/日本',
  '%',
  '%2',
  '%zz',
  ':orders',
  '1a:b',
  'a_b:c',
  'a:b[c]',
  '/a|b',
  '/a\\b',
  '<https://example.com>',
  '"',
  '{id}',
  'a^b',
  'a`b',
  'https://a@b@c/',
  'https://example.com:80a/',
  'https://[::1/',
  'https://::1/',
  'https://[::g]/',
  'https://[fe80::1%25eth0]/',
  'https://[v.a]/',
  'a#b#c',
  'a\n',
])('given %s, then it is no URI reference', (text) => {
  expect(isUriReference(text)).toBe(false);
});

test.each(['https://example.com/schema', 'urn:x', 'https://example.com?a', 'a:'])(
  'given %s, then it is an absolute URI',
  (text) => {
    expect(isAbsoluteUri(text)).toBe(true);
  },
);

test.each(['/schema', '//example.com', 'schema', '', 'https://example.com/schema#part', 'https://example.com#'])(
  'given %s, then it is no absolute URI',
  (text) => {
    expect(isAbsoluteUri(text)).toBe(false);
  },
);

test('given a very long text, then it is read at once', () => {
  const started = process.hrtime.bigint();
  for (const piece of ['a', '%20', ':', '/', '@', '[', '//']) isAbsoluteUri(`https://${piece.repeat(240_000)} `);
  expect(isAbsoluteUri(`https://example.com/${'%20'.repeat(80_000)}`)).toBe(true);
  expect(Number(process.hrtime.bigint() - started) / 1e9).toBeLessThan(2);
});
