import { expect, onTestFinished, test } from 'vitest';
import { createHttpClient } from './index.ts';
import { serveHttp } from './testing.ts';

test.each(['127.0.0.1', 'localhost'])(
  'given a check that refuses the address of %s, then nothing connects',
  async (host) => {
    const asked: string[][] = [];
    let requests = 0;
    const url = await serveHttp((_request, response) => {
      requests += 1;
      response.end();
    });
    const http = createHttpClient({
      allowAddress(name, address) {
        asked.push([name, address]);
        return false;
      },
    });
    onTestFinished(() => http.close());
    url.hostname = host;
    expect(await http.send({ method: 'GET', url, headers: {} })).toEqual({
      kind: 'failed',
      because: 'unreachable',
      detail: 'Connections to the address of the server are not allowed.',
    });
    expect(requests).toBe(0);
    expect(asked[0]?.[0]).toBe(host);
    expect(asked.map(([, address]) => address)).toContain('127.0.0.1');
  },
);

test('given a check that allows one of the addresses of a name, then that one is connected to', async () => {
  const url = await serveHttp((_request, response) => response.end('here'));
  const http = createHttpClient({ allowAddress: (_host, address) => address === '127.0.0.1' });
  onTestFinished(() => http.close());
  url.hostname = 'localhost';
  expect(await http.send({ method: 'GET', url, headers: {} })).toMatchObject({ kind: 'response', status: 200 });
});

test('an IPv6 address is checked without its brackets', async () => {
  const asked: string[] = [];
  const http = createHttpClient({ allowAddress: (_host, address) => asked.push(address) === 0 });
  onTestFinished(() => http.close());
  await http.send({ method: 'GET', url: new URL('http://[::1]:9/'), headers: {} });
  expect(asked).toEqual(['::1']);
});
