import { describe, expect, test } from 'vitest';
import { isHostMeant, readHostEntry } from './host-entry.ts';

function meant(entry: string, hosts: readonly string[]): string[] {
  const read = readHostEntry(entry);
  if (read === undefined) throw new Error(`${entry} is no entry`);
  return hosts.filter((host) => isHostMeant(read, host));
}

describe('an entry', () => {
  test('without a port means every port of its host, and no other host', () => {
    const hosts = ['api.example.com', 'api.example.com:443', 'API.Example.com.:8443'];
    const others = ['example.com', 'a.api.example.com', 'api.example.com.evil.org', 'xapi.example.com', ''];
    expect(meant('Api.example.com', [...hosts, ...others])).toEqual(hosts);
  });

  test('with a port means that port alone, and nothing where no port is said', () => {
    const hosts = ['api.example.com:8443', 'api.example.com', 'api.example.com:443', 'api.example.com:84430'];
    expect(meant('api.example.com:8443', hosts)).toEqual(['api.example.com:8443']);
  });

  test('*.example.com means any depth below, not example.com itself', () => {
    const hosts = [
      'a.example.com',
      'a.b.example.com:1',
      'example.com',
      'badexample.com',
      '.example.com',
      'a.example.org',
    ];
    expect(meant('*.example.com', hosts)).toEqual(['a.example.com', 'a.b.example.com:1']);
    expect(meant('*.example.com:1', hosts)).toEqual(['a.b.example.com:1']);
  });

  test('may be an address, in any of its forms', () => {
    expect(meant('127.0.0.1:80', ['127.0.0.1:80', '127.0.0.1'])).toEqual(['127.0.0.1:80']);
    expect(meant('[0:0::1]:80', ['[::1]:80', '[::1]', '::1'])).toEqual(['[::1]:80']);
    expect(meant('0::1', ['[::1]:80', '[::1]', '::1', '[::2]'])).toEqual(['[::1]:80', '[::1]', '::1']);
  });

  test('may be a name in any script', () => {
    expect(meant('Bücher.example', ['xn--bcher-kva.example', 'bücher.example:1'])).toHaveLength(2);
  });
});

test.each([
  '',
  '*',
  '*.',
  '*.*.example.com',
  'a.*.com',
  'https://api.example.com',
  'api.example.com/v1',
  'user@api.example.com',
  'api.example.com:',
  'api.example.com:0',
  'api.example.com:65536',
  'api.example.com:https',
  'a b.example.com',
  'a..example.com',
  '*.127.0.0.1',
  '*.[::1]',
  '[api.example.com]',
  '[::1',
  '[fe80::1%eth0]',
  '10.1',
  '0x7f000001',
  'a%2eb.example.com',
  `${'a'.repeat(64)}.example.com`,
])('%j is no entry', (text) => {
  expect(readHostEntry(text)).toBeUndefined();
});
