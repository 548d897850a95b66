// Uploads that are sent slowly do not keep those of other callers from being received and read.
import http from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALL_PERMISSIONS } from '../../shared/permissions.ts';
import { createKey } from '../domain/access/index.ts';
import { sha256 } from '../kernel/contents/index.ts';
import { createFakeClock } from '../lib/clock.ts';
import { writeArchive } from '../lib/playbook-files/index.ts';
import { startServer, type TestServer } from '../test/index.ts';

const clock = createFakeClock();
const [slow, other] = [createKey(), createKey()];
const keyOf = (name: string, { sha256: digest }: typeof slow) => ({
  name,
  sha256: digest,
  org: name,
  permissions: ALL_PERMISSIONS,
});
const headersOf = ({ key }: typeof slow, type: string) => ({ authorization: `Bearer ${key}`, 'content-type': type });

let server: TestServer;
beforeAll(async () => {
  const keys = [keyOf('slow', slow), keyOf('other', other)];
  server = await startServer({ clock, environment: { API_KEYS: JSON.stringify(keys) } });
  for (const [org, key] of Object.entries({ slow, other })) {
    const headers = headersOf(key, 'application/json');
    await server.post(`/v1/orgs/${org}/playbooks`, { playbook: 'desk', name: 'Desk' }, headers);
  }
});
afterAll(() => server.close());

interface Begun {
  request: http.ClientRequest;
  /** Whether the server asked for the body. */
  isAsked: boolean;
  response: Promise<{ status: number; headers: http.IncomingHttpHeaders }>;
}

/** Sends the head of an upload and no body. */
function begin(path: string, type: string, method: string): Begun {
  const headers = { ...headersOf(slow, type), 'content-length': 1000, expect: '100-continue' };
  const request = http.request(`${server.address}/v1/orgs/slow/playbooks/desk${path}`, {
    method,
    headers,
    agent: false,
  });
  // The server closes the connection of an upload that it refused.
  request.on('error', () => {});
  const response = new Promise<Awaited<Begun['response']>>((resolve) =>
    request.once('response', (message) => {
      message.resume();
      resolve({ status: message.statusCode ?? 0, headers: message.headers });
    }),
  );
  const begun: Begun = { request, isAsked: false, response };
  request.once('continue', () => (begun.isAsked = true));
  request.flushHeaders();
  return begun;
}

test('a caller that sends many bodies slowly holds up nobody, and is refused for a while', async () => {
  const csv = 'series,period,v\na,2024-01,1\na,2024-02,2\n';
  const all = [
    ...Array.from({ length: 6 }, (_, index) => begin(`/datasets/${sha256(String(index))}`, 'text/csv', 'PUT')),
    ...Array.from({ length: 6 }, () => begin('/imports', 'application/zip', 'POST')),
  ];
  await expect.poll(() => all.filter(({ isAsked }) => isAsked).length).toBe(4);

  const dataset = await server.send('PUT', `/v1/orgs/other/playbooks/desk/datasets/${sha256(csv)}`, {
    headers: headersOf(other, 'text/csv'),
    body: Buffer.from(csv),
  });
  expect(dataset.status).toBe(201);
  const archive = await writeArchive({ playbook: 'desk', name: 'Desk', description: '' }, []);
  const planned = await server.send('POST', '/v1/orgs/other/playbooks/desk/imports', {
    headers: headersOf(other, 'application/zip'),
    body: archive,
  });
  expect(planned.status).toBe(200);

  const [asked, waiting] = [all.filter(({ isAsked }) => isAsked), all.filter(({ isAsked }) => !isAsked)];
  clock.advance(10_000);
  for (const refused of await Promise.all(waiting.map(({ response }) => response))) {
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '10' } });
  }
  clock.advance(50_000);
  const tooSlow = await Promise.all(asked.map(({ response }) => response));
  expect(tooSlow.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  for (const { request } of all) request.destroy();
});
