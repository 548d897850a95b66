// One server for all tests of a file, and playbooks with recall functions on it.
import { afterAll, beforeAll, expect } from 'vitest';
import type { FakeClock } from '../lib/clock.ts';
import { type Answer, startServer, type TestServer } from '../test/index.ts';

export let shared: TestServer;

beforeAll(async () => {
  shared = await startServer();
});

afterAll(() => shared.close());

let playbooks = 0;

/** A playbook of its own, and what a test asks of it. */
export async function givenPlaybook(server = shared) {
  playbooks += 1;
  const playbook = `desk-${playbooks}`;
  const at = `/v1/orgs/local/playbooks/${playbook}`;
  await server.post('/v1/orgs/local/playbooks', { playbook, name: 'Desk' });
  const path = (name: string, type = 'recall') => `${at}/definitions/${type}/${name}`;
  return {
    at,
    save: (name: string, source: string, type = 'recall') => server.post(`${at}/definitions/${type}`, { name, source }),
    update: (name: string, source: string) => server.put(path(name), { source }),
    get: (name: string, type = 'recall') => server.get(path(name, type)),
    retire: (name: string) => server.post(`${path(name)}/retire`),
    run: (name: string, input: unknown = {}, type = 'recall') => server.post(`${path(name, type)}/run`, { input }),
    publish: (event: object = {}) =>
      server.post(`${at}/events`, { event: { source: '/desk', type: 'told', ...event } }),
    record: async (runId: string) => (await server.get(`${at}/runs/${runId}`)).body.record,
  };
}

export type Desk = Awaited<ReturnType<typeof givenPlaybook>>;

/** The id of a run whose start is recorded, as it is after 50 ms, and whose caller has left. */
export async function givenRunWithoutCaller(server: TestServer, path: string, clock: FakeClock): Promise<string> {
  const runId = crypto.randomUUID();
  const leaving = new AbortController();
  const left = fetch(`${server.address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ run_id: runId }),
    signal: leaving.signal,
  }).catch(() => undefined);
  const at = `${path.replace(/\/definitions.*/, '')}/runs/${runId}`;
  const statusLater = async (): Promise<number> => {
    clock.advance(50);
    return (await server.get(at)).status;
  };
  await expect.poll(statusLater, { interval: 5 }).toBe(200);
  leaving.abort();
  await left;
  return runId;
}

/** What a server says whose time passes by some seconds at each look: long before a view is built, however fast it is. */
export async function asTimePasses(clock: FakeClock, asking: Promise<Answer>): Promise<Answer> {
  let answer: Answer | undefined;
  void asking.then((came) => (answer = came));
  const look = (): Answer | undefined => {
    if (answer === undefined) clock.advance(2500);
    return answer;
  };
  await expect.poll(look, { interval: 5, timeout: 20_000 }).toBeDefined();
  return asking;
}

/** A recall function that keeps what it sees. */
export const seeing = (reads: string, see = 'event'): string => `export const reads = ${reads};
export const initial = { seen: [] };
export function evolve(state, event) { state.seen.push(${see}); return state; }
export const answer = (state) => state.seen;
`;

export const ALL = '[{ events: {} }]';
export const COUNTING = `export const reads = ${ALL};
export const initial = 0;
export const evolve = (state, event) => state + 1;
export const answer = (state) => state;
`;

/** Takes so long for an event that a second is not enough for many of them. */
export const SLOW = COUNTING.replace('state + 1;', '{ let n = 0; while (n < 3000000) n += 1; return state + 1; };');

/** Cannot take the event whose data is a poison. */
export const PICKY = COUNTING.replace(
  'state + 1;',
  "{\n  if (event.event.data === 'poison') throw new Error('bad data');\n  return state + 1;\n};",
);

export const warned = ({ body }: Answer): string[] => body.warnings.map(({ detail }: { detail: string }) => detail);
