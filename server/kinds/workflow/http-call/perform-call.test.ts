import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { nowhere, serveBytes, serveHttp } from '../../../lib/http-client/testing.ts';
import { createHttpClient } from '../../../lib/http-client/index.ts';
import type { TextWork } from '../../../lib/text-work/index.ts';
import { type CallSurroundings, isRepeatable, performCall, prepareHttpCall } from './index.ts';
import { call, testContext } from './testing.ts';

const json = { 'content-type': 'application/json' };

test('the output is the content, the whole response, or the raw bytes', async () => {
  const url = await serveHttp((_request, response) => response.writeHead(201, json).end('{"id":1}'));
  const given = { method: 'post', endpoint: `${url.href}pet?x=1`, body: { a: 1 } };
  expect(await call('http', given)).toEqual({ ok: true, output: { id: 1 } });
  expect(await call('http', { ...given, output: 'raw' })).toEqual({ ok: true, output: 'eyJpZCI6MX0=' });
  expect(
    await call('http', { ...given, output: 'response', headers: { Authorization: 'Basic abcdefgh' } }),
  ).toMatchObject({
    ok: true,
    output: {
      request: {
        method: 'post',
        uri: `${url.href}pet?x=1`,
        headers: { accept: 'application/json, */*;q=0.8', 'user-agent': 'cuebook', 'content-type': 'application/json' },
      },
      headers: json,
      statusCode: 201,
      content: { id: 1 },
    },
  });
});

test('the request of a response shows no authorization', async () => {
  const url = await serveHttp((_request, response) => response.end());
  const result = await call('http', {
    method: 'get',
    endpoint: url.href,
    output: 'response',
    headers: { AUTHORIZATION: 'x' },
  });
  expect(result).toMatchObject({ ok: true, output: { content: null } });
  expect(JSON.stringify(result).toLowerCase()).not.toContain('authorization');
});

test('no content is null, raw as well', async () => {
  const url = await serveHttp((_request, response) => response.writeHead(204).end());
  expect(await call('http', { method: 'get', endpoint: url.href })).toEqual({ ok: true, output: null });
  expect(await call('http', { method: 'get', endpoint: url.href, output: 'raw' })).toEqual({ ok: true, output: null });
});

test.each([
  [400, 'tool_error'],
  [401, 'server_failure'],
  [404, 'tool_error'],
  [407, 'server_failure'],
  [429, 'server_failure'],
  [500, 'server_failure'],
  [503, 'server_failure'],
])('given the status %i, then the call fails with it and the outcome is %s', async (status, outcome) => {
  const url = await serveHttp((_request, response) => response.writeHead(status, json).end('{ "message":\n"not so" }'));
  const result = await call('http', { method: 'get', endpoint: `${url.href}?token=abc` });
  expect(result).toMatchObject({ ok: false, error: { type: 'communication', status, outcome } });
  expect(JSON.stringify(result)).toContain('Response: {\\"message\\":\\"not so\\"}');
  expect(JSON.stringify(result)).not.toContain('token=abc');
});

test('the text of a refusing server is shortened, and a page is omitted', async () => {
  const url = await serveHttp((request, response) => {
    response
      .writeHead(500, { 'content-type': request.url === '/page' ? 'text/html' : 'text/plain' })
      .end('long '.repeat(1000));
  });
  const text = await call('http', { method: 'get', endpoint: url.href });
  expect(text.ok ? '' : text.error.detail.length).toBeLessThan(400);
  const page = await call('http', { method: 'get', endpoint: `${url.href}page` });
  expect(page).toMatchObject({ error: { detail: `GET ${url.host} returned 500 Internal Server Error.` } });
});

test('a redirect is an error, or taken as it is, and never followed', async () => {
  const asked: (string | undefined)[] = [];
  const url = await serveHttp((request, response) => {
    asked.push(request.url);
    response.writeHead(307, { location: 'https://elsewhere.example/path?code=abc' }).end();
  });
  const given = { method: 'get', endpoint: url.href };
  expect(await call('http', given)).toEqual({
    ok: false,
    error: {
      type: 'communication',
      status: 307,
      title: 'The server returned 307',
      detail: `GET ${url.host} returned 307 Temporary Redirect. It redirects to https://elsewhere.example/path. Redirects are never followed.`,
      outcome: 'server_failure',
    },
  });
  expect(await call('http', { ...given, redirect: true, output: 'response' })).toMatchObject({
    ok: true,
    output: { statusCode: 307 },
  });
  expect(asked).toEqual(['/', '/']);
});

test('only allowed hosts are asked, and the port counts', async () => {
  let requests = 0;
  const url = await serveHttp((_request, response) => {
    requests += 1;
    response.end();
  });
  const seen: string[] = [];
  const own = testContext({
    isHostAllowed(host) {
      seen.push(host);
      return false;
    },
  });
  expect(await call('http', { method: 'get', endpoint: url.href }, own)).toMatchObject({
    ok: false,
    error: { type: 'configuration', status: 400 },
  });
  expect([requests, seen]).toEqual([0, [url.host]]);
});

test('a server that is not there, or breaks off, is a failure of communication', async () => {
  const broken = await serveBytes((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab')),
  );
  const untrue = await serveHttp((_request, response) => response.writeHead(200, json).end('{'));
  for (const url of [await nowhere(), broken, untrue]) {
    // oxlint-disable-next-line no-await-in-loop -- one server after the other
    expect(await call('http', { method: 'get', endpoint: url.href })).toMatchObject({
      error: { type: 'communication', status: 503, outcome: 'server_failure' },
    });
  }
});

test('an answer that is too large, packed or not, says so', async () => {
  const big = Buffer.alloc(5 * 1024 * 1024);
  const url = await serveHttp((request, response) => {
    if (request.url === '/packed') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(big));
    else response.end(big);
  });
  for (const path of ['plain', 'packed']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await call('http', { method: 'get', endpoint: `${url.href}${path}` })).toMatchObject({
      error: { type: 'communication', status: 503, outcome: 'too_large' },
    });
  }
});

test('a server that does not answer times out, and a cancelled call ends', async () => {
  const own = testContext();
  const http = createHttpClient({ clock: own.clock });
  let arrived = Promise.withResolvers<void>();
  const url = await serveBytes((socket) => socket.once('data', () => arrived.resolve()));
  const prepared = prepareHttpCall({ method: 'post', endpoint: url.href }, own);
  if (!prepared.ok) throw new Error(prepared.error.detail);
  const late = performCall(prepared.request, { ...own, http });
  await arrived.promise;
  own.clock.advance(30_000);
  expect(await late).toMatchObject({ error: { type: 'timeout', status: 408, outcome: 'timed_out' } });
  arrived = Promise.withResolvers<void>();
  const control = new AbortController();
  const cancelled = performCall(prepared.request, { ...own, http }, control.signal);
  await arrived.promise;
  control.abort();
  expect(await cancelled).toMatchObject({ error: { type: 'communication', outcome: 'cancelled' } });
});

test('secrets stand in nothing that a call leaves', async () => {
  const secret = 'top/secret value';
  const url = await serveHttp((request, response) => {
    const said = `${secret} ${encodeURIComponent(secret)} ${Buffer.from(secret).toString('base64')}`;
    if (request.url?.startsWith('/moved') === true) {
      response.writeHead(302, { location: `/to/${encodeURIComponent(secret)}` }).end();
    } else if (request.url?.startsWith('/bad') === true)
      response.writeHead(400, { 'content-type': 'text/plain' }).end(said);
    else if (request.url?.startsWith('/json') === true) {
      response.writeHead(200, { ...json, 'x-echo': secret }).end(JSON.stringify({ [secret]: [said] }));
    } else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(said);
  });
  const own = testContext({ secrets: { DESK_TOKEN: secret } });
  for (const [path, output] of [
    ['moved', 'content'],
    ['bad', 'content'],
    ['json', 'content'],
    ['json', 'response'],
    ['json', 'raw'],
    ['bytes', 'content'],
    ['bytes', 'response'],
  ] as const) {
    const given = {
      method: 'get',
      endpoint: `${url.href}${path}`,
      query: { key: secret },
      headers: { 'x-key': secret },
      output,
    };
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const result = await call('http', given, own);
    const left = decodedTexts(JSON.stringify(result));
    for (const written of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      expect(left, `${path} ${output}`).not.toContain(written);
    }
    expect(left, `${path} ${output}`).toContain('***');
  }
});

/** The text, and after it what in it may be base64. */
function decodedTexts(text: string): string {
  const decoded = [...text.matchAll(/[A-Za-z0-9+/=]{8,}/g)].map(([part]) => Buffer.from(part, 'base64').toString());
  return [text, ...decoded].join('\n');
}

test('GET and HEAD may be sent again', () => {
  expect(['get', 'HEAD', 'post', 'PUT', 'DELETE', 'options'].map(isRepeatable)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

/** What text work is asked for. */
function watched(own: CallSurroundings): { own: CallSurroundings; jobs: string[] } {
  const jobs: string[] = [];
  const run: TextWork['run'] = (job, input) => {
    jobs.push(job.name);
    return own.textWork.run(job, input);
  };
  return { own: { ...own, textWork: { ...own.textWork, run } }, jobs };
}

test.each<[words: string, body: () => string, output: string]>([
  ['many keys', () => keys(20_000), 'content'],
  ['a long text', () => JSON.stringify(`hidden-${'x'.repeat(100_000)}`), 'content'],
  ['many bytes', () => keys(20_000), 'raw'],
  ['all of it', () => keys(20_000), 'response'],
])('a large answer of %s is read and scrubbed by a worker, and a small one at once', async (_words, body, output) => {
  const url = await serveHttp((request, response) =>
    response.writeHead(200, json).end(request.url === '/small' ? '{"hidden-word":"hidden-word"}' : body()),
  );
  const { own, jobs } = watched(testContext({ secrets: { HIDDEN: 'hidden-word' } }));
  const get = (path: string) => call('http', { method: 'get', endpoint: `${url.href}${path}`, output }, own);
  const small = await get('small');
  expect(small).toMatchObject({ ok: true });
  expect(jobs).toEqual([]);
  const large = await get('large');
  expect(jobs).toEqual(['readAnswer']);
  expect(large).toMatchObject({ ok: true });
  expect(JSON.stringify(large)).not.toContain('hidden-word');
});

test('a large answer that is no JSON, refuses, or is more than a step can hold is an error', async () => {
  const url = await serveHttp((request, response) => {
    const large = { '/broken': '['.repeat(100_000), '/keys': keys(80_000) }[request.url ?? ''];
    if (large !== undefined) response.writeHead(200, json).end(large);
    else if (request.url === '/controls') response.end('\u0001'.repeat(2 ** 20));
    else response.writeHead(500, json).end(keys(20_000));
  });
  const own = testContext();
  const detail = async (path: string): Promise<string> => {
    const result = await call('http', { method: 'get', endpoint: `${url.href}${path}` }, own);
    return result.ok ? '' : result.error.detail;
  };
  expect(await detail('broken')).toBe(
    `${url.host} returned a response that cannot be read. It is declared as JSON but is not valid JSON.`,
  );
  expect(await detail('keys')).toBe(
    `GET ${url.host} returned a response that contains more than 140000 values, which is more than a step can hold.`,
  );
  expect(await detail('controls')).toContain('has more than 4 MiB as JSON');
  expect(await detail('refusing')).toMatch(/returned 500 Internal Server Error\. Response: \{"hidden-word-0":0,/);
});

test('a large answer that cannot be read in time is an error', async () => {
  const url = await serveHttp((_request, response) => response.writeHead(200, json).end(keys(20_000)));
  const textWork: TextWork = { run: async () => 'unfinished', close: async () => {} };
  const result = await call('http', { method: 'get', endpoint: url.href }, testContext({ textWork }));
  expect(result).toMatchObject({
    error: {
      type: 'communication',
      outcome: 'server_failure',
      detail: `GET ${url.host} returned a response that takes too long to read.`,
    },
  });
});

function keys(count: number): string {
  return `{${Array.from({ length: count }, (_, index) => `"hidden-word-${index}":${index}`).join(',')}}`;
}
