// What a published server logs of each request at the level info, and that no credential is in it, wherever it is sent.
import { createConnection } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts';
import { createKey } from '../../domain/access/index.ts';
import { startServer, type TestServer } from '../../test/index.ts';
import { makeKey } from '../permissions.testing.ts';

const ada = makeKey('ada', ALL_PERMISSIONS);
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PLAYBOOKS = '/v1/orgs/acme/playbooks';

const published = (logged: string[]): Promise<TestServer> =>
  startServer({ logged, environment: { API_KEYS: JSON.stringify([ada.entry]) } });

const linesOf = (logged: readonly string[]): JsonObject[] =>
  logged
    .map((line) => JSON.parse(line) as JsonObject)
    .filter(({ msg, level }) => msg === 'Request completed.' && level === 30);

const callTool = (server: TestServer, message: object): Promise<Response> =>
  fetch(`${server.address}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...ada.header },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });

test('caller, operation, status, duration and trace of each request are logged', async () => {
  const logged: string[] = [];
  const server = await published(logged);
  const traceparent = `00-${TRACE_ID}-00f067aa0ba902b7-01`;
  await server.get(PLAYBOOKS, { ...ada.header, traceparent });
  await server.get(`${PLAYBOOKS}/none`, ada.header);
  await server.get('/v1/nothing', ada.header);
  await server.get(PLAYBOOKS);
  await server.get('/health');
  await callTool(server, { method: 'tools/call', params: { name: 'list_playbooks', arguments: {} } });
  await callTool(server, { method: 'tools/list' });
  await callTool(server, { method: 'made/up', params: { name: 'list_playbooks' } });
  await server.close();
  const lines = linesOf(logged);
  expect(lines.map(({ caller, operation, status }) => [caller, operation, status])).toEqual([
    ['key:ada', 'list_playbooks', 200],
    ['key:ada', 'get_playbook', 404],
    ['key:ada', null, 404],
    [null, null, 401],
    ['key:ada', 'list_playbooks', 200],
    ['key:ada', 'tools/list', 200],
    ['key:ada', null, expect.any(Number)],
  ]);
  expect(lines[0]).toMatchObject({ trace_id: TRACE_ID, request_id: expect.any(String), ms: expect.any(Number) });
});

/** Sends bytes that no client library would, and returns the response. */
async function sendRaw({ address }: TestServer, head: string): Promise<string> {
  const socket = createConnection(Number(new URL(address).port), '127.0.0.1');
  socket.write(head, 'latin1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (answer += piece));
  await once(socket, 'close');
  return answer;
}

test('a key is never logged, wherever it is sent', async () => {
  const logged: string[] = [];
  const server = await published(logged);
  const { key } = createKey();
  const trouble = { authorization: `Bearer ${key}` };
  const get = (path: string, headers: Record<string, string> = {}) => server.get(path, headers);
  const sent: Promise<unknown>[] = [
    get(PLAYBOOKS, trouble),
    ...[`Basic ${key}`, key, `Bearer ${key} more`, `Bearer "${key}"`, `bearer${key}`].map((authorization) =>
      get(PLAYBOOKS, { authorization }),
    ),
    get(`${PLAYBOOKS}?key=${key}`, ada.header),
    get(`${PLAYBOOKS}?${key}=1`, ada.header),
    get(`/v1/orgs/${key}/playbooks`, ada.header),
    get(`${PLAYBOOKS}/${key}/runs/${key}`, ada.header),
    get(`/v1/${key}`, ada.header),
    get(`/problems/${key}`),
    get(PLAYBOOKS, { ...ada.header, traceparent: key, 'x-api-key': key, cookie: key, 'x-request-id': key }),
    get(PLAYBOOKS, { ...ada.header, origin: `https://${key}.example.com` }),
    server.post(PLAYBOOKS, { [key]: key, playbook: key }, ada.header),
    server.post(PLAYBOOKS, `not json ${key}`, ada.header),
    callTool(server, { method: 'tools/call', params: { name: key, arguments: { [key]: key } } }),
    callTool(server, { method: key }),
    sendRaw(server, `${key} / HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    sendRaw(server, `GET /${key} HTTP/9.9\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`),
    sendRaw(server, `GET /%zz${key} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${key}\r\n\r\n`),
  ];
  await Promise.all(sent);
  await server.close();
  expect(linesOf(logged).length).toBeGreaterThan(10);
  const found = logged.filter((line) => line.includes(key) || line.includes(ada.key));
  expect(found).toEqual([]);
});
