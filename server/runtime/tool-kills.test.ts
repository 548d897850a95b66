// Kills the server around calls of tools, again and again: no call that was started is made twice, none is made that was
// not recorded before, and what was started and not answered reads as such.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { createTestClient, startServerProcess, temporaryFolder } from '../test/index.ts';

/** The short form; `npm run kills` sets the long one. */
const KILLS = Number(process.env['TOOL_KILLS'] ?? 15);
/** Services side by side: a start takes longer than what happens between two kills. */
const CHAINS = 3;
const CALLERS = 4;
/** Each so many kills, all callers call a program that the server starts. */
const STDIO_EACH = 5;
const PROGRAM = fileURLToPath(new URL('../domain/tools/counting-program.testing.ts', import.meta.url));
const AT = '/v1/orgs/local/playbooks/kills';
const WORKFLOW = `document: { dsl: '1.0.3', namespace: kills, name: act, version: '1.0.0' }
do: [ { act: { call: tool, with: { tool: api/act, arguments: { body: { id: '\${ .id }' } } } } } ]
`;
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Counting', version: '1' },
  paths: {
    '/act': {
      post: {
        operationId: 'act',
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        responses: {},
      },
    },
  },
};

/** Counts what it is asked to do, as an API, as an MCP server and by the program, and tells somebody before and after each answer. */
async function serveCounting(): Promise<{
  address: string;
  counts: Map<string, number>;
  tell: { on: (moment: 'asked' | 'answered') => void };
}> {
  const counts = new Map<string, number>();
  const tell = { on: (_moment: 'asked' | 'answered'): void => undefined };
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const id = idIn(body);
    if (id === undefined) return answerMcp(body, response);
    counts.set(id, (counts.get(id) ?? 0) + 1);
    tell.on('asked');
    if (request.url === '/mcp') answerMcp(body, response);
    else response.setHeader('content-type', 'application/json').end('{"done":true}');
    response.once('finish', () => tell.on('answered'));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, counts, tell };
}

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? {} : (JSON.parse(text) as JsonObject);
}

/** What a request asks to be done, in either way. */
function idIn(body: JsonObject): string | undefined {
  const { arguments: args } = (body['params'] ?? {}) as { arguments?: { id?: string } };
  return (body['id'] as string | undefined) !== undefined && body['method'] === undefined
    ? String(body['id'])
    : args?.id;
}

function answerMcp({ id, method }: JsonObject, response: ServerResponse): void {
  if (id === undefined) return void response.writeHead(202).end();
  const results: Record<string, JsonObject> = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'c', version: '1' } },
    'tools/list': { tools: [{ name: 'act', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'done' }] },
  };
  const result = results[String(method)];
  const answer = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
}

interface Recorded {
  type: string;
  stream: string;
  server: string;
  id: string | undefined;
}

function recordedIn(dataDir: string): { calls: Recorded[]; endings: Map<string, string> } {
  const database = new Database(path.join(dataDir, 'cuebook.db'), { readonly: true });
  try {
    const rows = database
      .prepare(`SELECT stream, type, data FROM events WHERE type LIKE 'tool_call_%' ORDER BY global_position`)
      .all() as { stream: string; type: string; data: string }[];
    const calls = rows.map(({ stream, type, data }) => {
      const { server, arguments: args } = JSON.parse(data) as {
        server: string;
        arguments?: { id?: string; body?: { id?: string } };
      };
      return { stream, type, server, id: args?.body?.id ?? args?.id };
    });
    const runs = database
      .prepare(`SELECT run_id, CASE WHEN kind = 'unworkable' THEN kind ELSE status END AS ending FROM runs`)
      .all() as { run_id: string; ending: string }[];
    return { calls, endings: new Map(runs.map(({ run_id, ending }) => [`run-${run_id}`, ending])) };
  } finally {
    database.close();
  }
}

interface Chain {
  /** The ids of the calls whose result the caller received. */
  acknowledged: ReadonlySet<string>;
  /** The servers of which a call was interrupted. */
  interrupted: ReadonlySet<string>;
}

/** Kills one service with its own store so many times, then checks what it recorded. */
async function killOften(dataDir: string, kills: number): Promise<Chain> {
  const { address, counts, tell } = await serveCounting();
  writeFileSync(path.join(dataDir, 'openapi.json'), JSON.stringify(DOCUMENT));
  const api = { type: 'openapi', document: path.join(dataDir, 'openapi.json'), base_url: address };
  const program = { type: 'stdio', command: process.execPath, args: [PROGRAM, `${address}/program`] };
  const config = { tool_servers: { api, mcp: { type: 'mcp', url: `${address}/mcp` }, program } };
  writeFileSync(path.join(dataDir, 'cuebook.yaml'), JSON.stringify(config));
  const acknowledged = new Set<string>();
  const start = () => startServerProcess(dataDir);

  const first = await start();
  const setUp = await createTestClient(first.address);
  await setUp.post('/v1/orgs/local/playbooks', { playbook: 'kills', name: 'Kills' });
  await setUp.post(`${AT}/definitions/workflow`, { name: 'act', source: WORKFLOW });
  await first.end('SIGTERM');

  for (let kill = 0; kill < kills; kill += 1) {
    const server = await start();
    const post = async (route: string, body: object): Promise<JsonObject> => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${server.address}${route}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as JsonObject;
    };
    // Somewhere in the work: at one of the first moments around a call.
    const dying = Promise.withResolvers<void>();
    const isOfProgram = kill % STDIO_EACH === 0;
    // The program has to start first: fewer moments come together around its calls.
    let moments = Math.ceil(Math.random() * (isOfProgram ? 10 : 30));
    tell.on = () => {
      moments -= 1;
      if (moments === 0) dying.resolve(server.end('SIGKILL').then(() => undefined));
    };
    const work = async (caller: number): Promise<void> => {
      for (let n = caller; ; n += 1) {
        const id = randomUUID();
        try {
          if (n % 3 === 0 && !isOfProgram) await post(`${AT}/definitions/workflow/act/run`, { input: { id } });
          else {
            const [named, args] = isOfProgram
              ? ['program', { id }]
              : n % 3 === 1
                ? ['api', { body: { id } }]
                : ['mcp', { id }];
            const executed = await post(`${AT}/tool-servers/${named}/tools/act/execute`, { arguments: args });
            if (executed['outcome'] === 'result') acknowledged.add(id);
          }
        } catch {
          return;
        }
      }
    };
    await Promise.all([dying.promise, ...Array.from({ length: CALLERS }, (_, caller) => work(caller))]);
  }

  tell.on = () => undefined;
  const last = await start();
  const client = await createTestClient(last.address);
  await expect
    .poll(async () => (await client.get(`${AT}/runs?status=started`)).body.runs, { timeout: 30_000 })
    .toEqual([]);
  await last.end('SIGTERM');
  expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
  return { acknowledged, interrupted: verify(recordedIn(dataDir), counts, acknowledged) };
}

/** @returns the servers of which a call was interrupted */
function verify(
  { calls, endings }: ReturnType<typeof recordedIn>,
  counts: ReadonlyMap<string, number>,
  acknowledged: ReadonlySet<string>,
): Set<string> {
  const started = calls.filter(({ type }) => type === 'tool_call_started');
  const endsOf = (stream: string): string[] =>
    calls.filter((call) => call.stream === stream && call.type !== 'tool_call_started').map(({ type }) => type);
  const startedIds = new Set(started.map(({ id }) => id));
  expect(startedIds.size).toBe(started.length);
  // What was sent had been recorded before.
  expect([...counts.keys()].filter((id) => !startedIds.has(id))).toEqual([]);
  const interrupted = new Set<string>();
  for (const { stream, id, server } of started) {
    const ends = endsOf(stream);
    const isRun = stream.startsWith('run-');
    // A call of a run has an end in any case; one that was made by itself has none when its process ended.
    expect(ends.length, stream).toBeGreaterThanOrEqual(isRun ? 1 : 0);
    expect(ends.length, stream).toBeLessThanOrEqual(1);
    // A run that was at work at three kills is given up, wherever in its work they came.
    if (isRun && endings.get(stream) !== 'unworkable')
      expect(endings.get(stream)).toBe(ends[0] === 'tool_call_answered' ? 'succeeded' : 'rejected');
    if (acknowledged.has(String(id))) expect([ends, counts.get(String(id))]).toEqual([['tool_call_answered'], 1]);
    if (ends[0] !== 'tool_call_answered') interrupted.add(server);
  }
  return interrupted;
}

test(`over ${KILLS} kills, no call is made twice or without its start`, { timeout: 900_000 }, async () => {
  const killing = Array.from({ length: CHAINS }, () => {
    const folder = temporaryFolder();
    return killOften(folder.path, Math.ceil(KILLS / CHAINS)).finally(folder.remove);
  });
  const chains = await Promise.all(killing);
  expect(chains.flatMap(({ acknowledged }) => [...acknowledged])).not.toEqual([]);
  // Kills hit calls of each kind.
  const interrupted = new Set(chains.flatMap((chain) => [...chain.interrupted]));
  expect([...interrupted].toSorted()).toEqual(['api', 'mcp', 'program']);
});
