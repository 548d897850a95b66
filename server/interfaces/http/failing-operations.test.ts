// A server whose operations fail or wait, whose clients leave, and that closes.
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pino from 'pino';
import Type from 'typebox';
import { systemClock } from '../../lib/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import { unavailable } from '../../lib/rejection.ts';
import { DEVELOPER, type Call, defineOperation, makeCallable } from '../../operations/index.ts';
import { createHttpServer } from './index.ts';
import { startServer, type TestServer } from '../../test/index.ts';
import { PLAYBOOKS, startDesk } from './http-rules.testing.ts';

let server: TestServer;
let port: number;

beforeAll(async () => {
  ({ server, port } = await startDesk());
});

afterAll(() => server.close());

describe('a server whose operations fail or wait', () => {
  const logged: string[] = [];
  let waiting: PromiseWithResolvers<Call>;
  const operation = (name: string, handle: (call: Call) => Promise<object>) =>
    makeCallable(
      defineOperation({
        name,
        tag: 'Tests',
        title: name,
        description: name,
        permissions: ['org:write'],
        method: 'POST',
        route: `/${name}`,
        path: Type.Object({}),
        output: Type.Object({}),
        problems: [],
        hints: { readOnly: false, destructive: false, idempotent: false },
        mcp: false,
        handle,
      }),
    );
  const unavailableIn = (name: string, options: Parameters<typeof unavailable>[1]) =>
    operation(name, () => Promise.reject(unavailable('Try again.', options)));

  const app = createHttpServer({
    callables: [
      operation('failing', () => Promise.reject(new Error('SECRET of the store'))),
      operation('working', () => Promise.resolve({ done: true })),
      operation('waiting', (call) => {
        const gone = new Promise<object>((resolve) => call.signal.addEventListener('abort', () => resolve({})));
        waiting.resolve(call);
        return gone;
      }),
      unavailableIn('soon', { retryAfter: 1.2 }),
      unavailableIn('at-once', { retryAfter: 0 }),
      unavailableIn('never', {}),
      unavailableIn('not-offered', { kind: 'tool_not_offered', retryAfter: 5 }),
      unavailableIn('stalled', { because: 'stalled', retryAfter: 5 }),
    ],
    descriptions: {
      openapi: '{}',
      guides: [],
      studio: { page: '', assets: new Map() },
      health: () => ({ status: 'stopping', version: '0', mode: 'local', store: 'sqlite' }),
    },
    access: { mode: 'local', identify: () => DEVELOPER },
    browsers: { isAllowedOrigin: () => false },
    ids: createIds(systemClock),
    logger: pino({ level: 'debug' }, { write: (line: string) => logged.push(line) }),
    stopping: new AbortController().signal,
  });
  let address: string;
  const post = (name: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${address}/v1/orgs/local/${name}`, { ...init, method: 'POST' });

  beforeAll(async () => {
    address = await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => app.close());

  test('given an internal failure, then it is 500 without its words, and its ids find the log entry', async () => {
    const answer = await post('failing');
    const requestId = answer.headers.get('x-request-id') ?? '';
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({
      type: 'https://cuebook.dev/problems/internal',
      status: 500,
      reason: 'internal',
      instance: `urn:uuid:${requestId}`,
    });
    expect(text).not.toContain('SECRET');
    const entries = logged.filter((line) => line.includes(requestId) && line.includes('"level":50'));
    expect(entries).toHaveLength(1);
    expect(entries[0]).toContain('SECRET of the store');
    expect((await post('working')).status).toBe(200);
  });

  test('given a client that goes away, then its work is aborted, 499 is logged, and the server keeps serving', async () => {
    waiting = Promise.withResolvers<Call>();
    const leaving = new AbortController();
    const left = post('waiting', { signal: leaving.signal }).catch((error: unknown) => error);
    const { signal } = await waiting.promise;
    const heard = new Promise((resolve) => signal.addEventListener('abort', resolve));
    leaving.abort();
    await heard;
    expect(await left).toBeInstanceOf(DOMException);
    expect(logged.some((line) => line.includes('"status":499'))).toBe(true);
    expect((await post('working')).status).toBe(200);
  });

  test('given a client that disconnects within its body, then the server keeps running', async () => {
    const { port: own } = new URL(address);
    await new Promise<void>((resolve, reject) => {
      const socket = net.connect(Number(own), '127.0.0.1', () => {
        const head = ['POST /v1/orgs/local/working HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
        socket.write(`${[...head, 'Content-Length: 100'].join('\r\n')}\r\n\r\n{`, () => socket.destroy());
      });
      socket.on('close', () => resolve());
      socket.on('error', reject);
    });
    expect((await post('working')).status).toBe(200);
    expect(logged.some((line) => line.includes('"level":50') && line.includes('body was read'))).toBe(false);
  });

  test('given a connection that is reset within a body, then it is 499 and no failure', async () => {
    const { port: own } = new URL(address);
    const failures = (): number => logged.filter((line) => line.includes('"level":50')).length;
    const [before, begun] = [failures(), logged.length];
    const socket = net.connect(Number(own), '127.0.0.1', () => {
      const head = ['POST /v1/orgs/local/working HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
      const lines = [...head, 'Content-Length: 100', 'Expect: 100-continue'];
      socket.write(`${lines.join('\r\n')}\r\n\r\n{`);
    });
    // The server has begun with the body.
    await new Promise((resolve) => socket.once('data', resolve));
    socket.resetAndDestroy();
    const hasLogged = (): boolean => logged.slice(begun).some((line) => line.includes('"status":499'));
    await expect.poll(hasLogged, { timeout: 5000 }).toBe(true);
    expect(failures()).toBe(before);
  });

  test.each([
    ['soon', '2'],
    ['at-once', '1'],
    ['never', null],
    ['not-offered', null],
    ['stalled', null],
  ])('given unavailable for %s, then Retry-After is %s', async (name, expected) => {
    const answer = await post(name);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expected]);
    await answer.text();
  });

  test.each([
    [16, 16],
    [500, 0],
  ])(
    'given %d requests at once on one connection, then at least %d and at most 16 are answered',
    async (count, least) => {
      let text = '';
      const socket = net.connect(port, '127.0.0.1', () => {
        socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count));
      });
      const answered = (): number => text.split('HTTP/1.1 200').length - 1;
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (answered() === count) socket.end();
      });
      await new Promise((resolve) => socket.once('close', resolve));
      expect(answered()).toBeGreaterThanOrEqual(least);
      expect(answered()).toBeLessThanOrEqual(16);
    },
  );

  test('given an open connection without a request, then closing does not wait for it', async () => {
    const closing = await startServer();
    const { port: own } = new URL(closing.address);
    const unused = net.connect(Number(own), '127.0.0.1');
    const halfWritten = net.connect(Number(own), '127.0.0.1');
    const ends = [unused, halfWritten].map((socket) => {
      socket.on('error', () => socket.destroy());
      return new Promise((resolve) => socket.once('close', resolve));
    });
    await new Promise((resolve) => halfWritten.write('GET /health HTTP/1.1\r\nHost: loc', resolve));
    expect((await closing.get('/health')).status).toBe(200);
    await closing.close();
    await Promise.all(ends);
  });

  test('given a request in progress while the server closes, then it is answered completely', async () => {
    const closing = await startServer();
    const desk = '/v1/orgs/local/playbooks/desk';
    await closing.post(PLAYBOOKS, { playbook: 'desk', name: 'Desk' });
    const source = 'export default () => { let n = 0; for (let i = 0; i < 1e6; i += 1) n += 1; return n; };\n';
    await closing.post(`${desk}/definitions/computation`, { name: 'counting', source });
    const following = await fetch(`${closing.address}${desk}/events/follow`);
    const events = following.body?.getReader();
    await events?.read();
    const running = closing.post(`${desk}/definitions/computation/counting/run`);
    // The run is under way when its start is streamed.
    await events?.read();
    const closed = closing.close();
    expect((await running).body).toMatchObject({ status: 'succeeded', output: 1_000_000 });
    await closed;
  });

  test('given a server that stops, then /health is 503 and says so', async () => {
    const answer = await fetch(`${address}/health`);
    expect([answer.status, await answer.json()]).toMatchObject([503, { status: 'stopping' }]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});
