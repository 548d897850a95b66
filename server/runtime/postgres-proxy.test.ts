// Clients of a load balancer in front of three servers on one PostgreSQL, each of which is killed or stopped in turn and
// started again. Skipped without a PostgreSQL: `npm run test:postgres` starts one.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { type HeldModel, serveHeldModel } from '../domain/models/held-model.testing.ts';
import { answerEvents, CHAT_END, chatChunk, writeEvents } from '../domain/models/models.testing.ts';
import { newClient, oldClient } from '../interfaces/mcp/mcp.testing.ts';
import { ask, POSTGRES_FOR_TESTS } from '../kernel/log/postgres/testing.ts';
import { randomHex } from '../lib/random.ts';
import { followText } from '../test/follow-text.ts';
import { type LoopbackServer, serveLoopback, temporaryFolder } from '../test/index.ts';
import { type ThreeServers, startThreeServers } from '../test/three-servers.ts';

const AT = '/v1/orgs/local/playbooks/desk';
/** How often a server ends and starts during a test: each of them is killed once and stopped once. */
const REPLACEMENTS = 6;
const PATIENCE = 180_000;
/** A run that a killed server had begun is taken over once its lease of 15 seconds has expired. */
const TAKE_OVER = 40_000;
/** A request without a response may or may not have been carried out. It is sent again with the same id. */
const REQUEST_PATIENCE = 15_000;

interface Heard {
  id: string;
  type: string;
  data: { event?: { id: string } };
}

describe.runIf(POSTGRES_FOR_TESTS !== undefined)('three servers behind a load balancer', () => {
  const schema = `test_${randomHex(8)}`;
  const folder = temporaryFolder();
  /** The requests to a tool that never answers, and how many of them were given up. */
  const waiting = { begun: 0, ended: 0 };
  let slow: LoopbackServer;
  let writer: HeldModel;
  let servers: ThreeServers;

  function slowDocument(): string {
    const file = path.join(folder.path, 'slow.json');
    const paths = { '/wait': { get: { operationId: 'wait', responses: {} } } };
    writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'Slow', version: '1' }, paths }));
    return file;
  }

  beforeAll(async () => {
    slow = await serveLoopback((_request, response) => {
      waiting.begun += 1;
      response.on('close', () => (waiting.ended += 1));
    });
    writer = await serveHeldModel();
    servers = await startThreeServers({
      url: POSTGRES_FOR_TESTS ?? '',
      schema,
      stickyHeader: 'mcp-session-id',
      environment: () => ({ MODEL_GATEWAYS: JSON.stringify([{ name: 'writing', base_url: writer.address }]) }),
      config: { tool_servers: { slow: { type: 'openapi', document: slowDocument(), base_url: slow.address } } },
    });
    await post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
    await post(`${AT}/definitions/computation`, {
      name: 'double',
      source: 'export default ({ n }) => ({ n: n * 2 });\n',
    });
    await post(`${AT}/definitions/reasoning`, {
      name: 'write',
      source: '---\nmodel: writing/small\n---\nSay hello.\n',
    });
  }, PATIENCE);
  afterAll(async () => {
    await servers.close();
    await slow.close();
    await writer.close();
    folder.remove();
    await ask(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  });

  async function request(route: string, init: RequestInit = {}): Promise<JsonObject> {
    const response = await fetch(`${servers.address}${route}`, {
      ...init,
      signal: AbortSignal.timeout(REQUEST_PATIENCE),
    });
    const body = (await response.json()) as JsonObject;
    if (!response.ok) throw new Error(`${route} was refused with ${response.status}: ${JSON.stringify(body)}`);
    return body;
  }
  const post = (route: string, body: JsonObject): Promise<JsonObject> =>
    request(route, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

  /** Works while the servers are replaced, one after the other. */
  async function whileReplaced(work: () => Promise<void>): Promise<void> {
    const over = new AbortController();
    const replacing = servers.replace(REPLACEMENTS, over.signal);
    try {
      while (!over.signal.aborted) {
        await work();
        await Promise.race([wait(20), replacing.then(() => over.abort())]);
      }
    } finally {
      over.abort();
      await replacing;
    }
  }

  /** The ids of the published events that a client of `follow_events` receives after an event, until the test ends. */
  function follow(after: string, continueFrom: (last: string) => { query?: string; headers?: Record<string, string> }) {
    const heard: string[] = [];
    const leaving = new AbortController();
    let streams = 0;
    let last: string = after;

    async function read(): Promise<void> {
      const { query = '', headers = {} } = continueFrom(last);
      const response = await fetch(`${servers.address}${AT}/events/follow${query}`, {
        headers,
        signal: leaving.signal,
      });
      if (!response.ok || response.body === null) return;
      streams += 1;
      const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      for await (const { id, data } of events) {
        const event = JSON.parse(data) as Heard;
        expect(event.id).toBe(id);
        last = event.id;
        if (event.type === 'event_published') heard.push(event.data.event?.id ?? '');
      }
    }

    async function untilStopped(): Promise<void> {
      while (!leaving.signal.aborted) {
        // The stream ends in whatever way its server ended.
        await read().catch(() => {});
        await wait(50);
      }
    }

    const following = untilStopped();
    onTestFinished(async () => {
      leaving.abort();
      await following;
    });
    return { heard, streams: () => streams };
  }

  test('every event that is published is followed once and in order', { timeout: PATIENCE }, async () => {
    const { events: latest } = (await request(`${AT}/events?limit=1`)) as { events: { id: string }[] };
    const before = latest[0]?.id ?? '';
    const followers = [
      follow(before, (last) => ({ headers: { 'last-event-id': last } })),
      follow(before, (last) => ({ query: `?after=${encodeURIComponent(last)}` })),
    ];
    const published: string[] = [];
    await whileReplaced(async () => {
      const id = `e${published.length}`;
      const event = { id, source: '/desk', type: 'happened', data: { id } };
      await expect
        .poll(() =>
          post(`${AT}/events`, { event }).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      published.push(id);
    });
    for (const { heard, streams } of followers) {
      await expect.poll(() => heard.length).toBeGreaterThanOrEqual(published.length);
      expect(heard).toEqual(published);
      // It was cut off, and continued at another server.
      expect(streams()).toBeGreaterThan(1);
    }
    expect(published.length).toBeGreaterThan(REPLACEMENTS);
  });

  test.each([
    ['2026-07-28, which has no sessions', newClient],
    ['2025-11-25, whose session stays at one server', oldClient],
  ])(
    'an MCP client of revision %s calls on, and each call is one run',
    { timeout: PATIENCE },
    async (_name, connect) => {
      const client = await connect(servers);
      onTestFinished(() => client.close().catch(() => {}));
      const runs: string[] = [];
      let unanswered = 0;
      await whileReplaced(async () => {
        const runId = randomUUID();
        const n = runs.length;
        const call = { playbook: 'desk', type: 'computation', name: 'double', input: { n }, run_id: runId };
        await expect
          .poll(
            async () => {
              const called = await client.call('run_definition', call).catch(() => undefined);
              if (called === undefined) unanswered += 1;
              return (called?.structured as { output?: unknown } | undefined)?.output;
            },
            { timeout: TAKE_OVER },
          )
          .toEqual({ n: n * 2 });
        runs.push(runId);
      });
      expect(runs.length).toBeGreaterThan(REPLACEMENTS);
      for (const runId of runs) {
        const { events } = (await request(`${AT}/runs/${runId}/history`)) as { events: { type: string }[] };
        expect(events.filter(({ type }) => type === 'run_succeeded')).toHaveLength(1);
      }
      expect((await client.tools()).length).toBeGreaterThan(10);
      // Most requests find a server; those that a killed one had accepted are sent again.
      expect(unanswered).toBeLessThan(runs.length);
    },
  );

  test('what a model writes is followed through the load balancer, at whichever server', async () => {
    const run_id = randomUUID();
    const running = post(`${AT}/definitions/reasoning/write/run`, { run_id });
    const model = await writer.asked();
    writeEvents(model, chatChunk({ content: 'Hello ' }));
    // One at the server that carries out the run, and two elsewhere.
    const following = [];
    for (let n = 0; n < 3; n += 1) following.push(await followText(`${servers.address}${AT}/runs/${run_id}/follow`));
    for (const pieces of following) expect((await pieces.next()).value).toEqual({ from: 0, text: 'Hello ' });
    answerEvents(model, chatChunk({ content: 'you.' }), CHAT_END);
    expect(await running).toMatchObject({ status: 'succeeded', output: { text: 'Hello you.' } });
    for (const pieces of following) {
      expect((await pieces.next()).value).toEqual({ from: 6, text: 'you.' });
      expect(await pieces.next()).toMatchObject({ done: true });
    }
  });

  test('a cancellation in a session reaches the server that carries out the call', async () => {
    const client = await oldClient(servers);
    onTestFinished(() => client.close());
    const leaving = new AbortController();
    const call = { playbook: 'desk', server: 'slow', tool: 'wait', arguments: {} };
    const called = client.call('execute', call, { signal: leaving.signal });
    await expect.poll(() => waiting).toEqual({ begun: 1, ended: 0 });
    leaving.abort();
    await expect(called).rejects.toThrow('abort');
    await expect.poll(() => waiting).toEqual({ begun: 1, ended: 1 });
  });
});
