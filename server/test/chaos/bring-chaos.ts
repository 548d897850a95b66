// Three servers over one PostgreSQL behind a load balancer, while processes and the database are killed, stopped and cut off.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findPostgres } from '../postgres/programs.ts';
import { startPostgres } from '../postgres/start-postgres.ts';
import { FOR_WATCHING } from '../postgres/watch-writes.ts';
import { serveLoopback } from '../loopback.ts';
import { AT, createChaosClient, DEFINITIONS } from './client.ts';
import { type Fault, FAULTS, startCluster } from './cluster.ts';
import { findBreaches } from './verify.ts';

const CLIENTS = 12;
/** Faults from which on something of each kind must have been acknowledged: a client that does nothing finds nothing. */
const MANY = 100;
/** Milliseconds between the beginnings of two faults. */
const BETWEEN = 1500;
/** A task whose tries failed waits up to 5 minutes for the next one. */
const FINISHING = 600_000;

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

/** Counts how often each call reaches it. */
async function serveCounting(calls: Map<string, number>) {
  return serveLoopback((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { id } = JSON.parse(text) as { id: string };
      calls.set(id, (calls.get(id) ?? 0) + 1);
      response.setHeader('content-type', 'application/json').end('{"done":true}');
    });
  });
}

/** Each kind of fault comes once in as many, in a random order. */
function chooseFaults(count: number): Fault[] {
  const faults = Array.from({ length: count }, (_none, index) => FAULTS[index % FAULTS.length] ?? 'kill');
  return faults
    .map((fault) => ({ fault, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ fault }) => fault);
}

/**
 * Brings so many faults, and answers what was acknowledged meanwhile and what does not hold.
 * @param finishing milliseconds for which runs may still be in progress afterwards
 */
export async function bringChaos(
  count: number,
  finishing: number = FINISHING,
): Promise<{ summary: string; breaches: string[] }> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-chaos-'));
  chmodSync(folder, 0o755);
  const calls = new Map<string, number>();
  const tools = await serveCounting(calls);
  const postgres = await startPostgres(await findPostgres(), folder, ['max_connections=200', ...FOR_WATCHING]);
  try {
    const document = path.join(folder, 'openapi.json');
    await writeFile(document, JSON.stringify(DOCUMENT));
    const api = { type: 'openapi', document, base_url: tools.address };
    const cluster = await startCluster(postgres, { tool_servers: { api } });
    try {
      const client = createChaosClient(cluster.address);
      await client.send('POST', '/v1/orgs/local/playbooks', { playbook: 'chaos', name: 'Chaos' });
      for (const [type, name, source] of DEFINITIONS) {
        const saved = await client.send('POST', `${AT}/definitions/${type}`, { name, source });
        if (saved?.status !== 201) throw new Error(`${type}/${name} was not saved: ${JSON.stringify(saved?.body)}`);
      }
      const over = new AbortController();
      const working = Array.from({ length: CLIENTS }, () => client.work(over.signal));
      const faults: Promise<void>[] = [];
      for (const fault of chooseFaults(count)) {
        await wait(BETWEEN * (0.5 + Math.random()));
        faults.push(cluster.bring(fault));
      }
      await Promise.all(faults);
      over.abort();
      await Promise.all(working);
      await client.finish(finishing);
      const { events, runs, answers, cancelled } = client.acknowledged;
      const { breaches, writes } = await findBreaches(postgres.url, client, calls);
      const summary = `${count} faults; acknowledged: ${events.size} events, ${runs.size} runs, ${answers.size} answers, ${cancelled.size} cancels; ${calls.size} tool calls; ${writes.commits} commits looked at; ${writes.renamed} processes lost a lease and continued under another`;
      const idle = Object.entries(client.acknowledged).filter(([, ids]) => count >= MANY && ids.size === 0);
      return { summary, breaches: [...breaches, ...idle.map(([kind]) => `No ${kind} were acknowledged.`)] };
    } finally {
      await cluster.close();
    }
  } finally {
    await postgres.stop();
    await tools.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
