import { expect, test } from 'vitest';
import { hostOf } from './hosts.ts';

test.each([
  ['https://API.example.com/x', 'api.example.com:443'],
  ['http://api.example.com./x', 'api.example.com:80'],
  ['https://api.example.com:8443', 'api.example.com:8443'],
  ['http://[::1]:9/', '[::1]:9'],
  ['http://bücher.example/', 'xn--bcher-kva.example:80'],
])('%s is at %s', (address, host) => {
  expect(hostOf(new URL(address))).toBe(host);
});
