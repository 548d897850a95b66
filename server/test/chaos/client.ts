// A client that publishes, runs, answers, cancels and asks, and remembers what was acknowledged to it.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { JsonObject } from '../../../shared/json.ts';

export const AT = '/v1/orgs/local/playbooks/chaos';
const HEAD = "document: { dsl: '1.0.3', namespace: chaos, name: w, version: '1.0.0' }\n";
export const DEFINITIONS: readonly (readonly [type: string, name: string, source: string])[] = [
  ['computation', 'double', 'export default ({ n }) => ({ n: n * 2 });\n'],
  // Takes long enough that its start is recorded by itself, under a lease; 5 million iterations are the limit.
  [
    'computation',
    'slow',
    'export default ({ n }) => { let sum = 0; for (let i = 0; i < n; i += 1) sum += i % 7; return { sum }; };\n',
  ],
  ['interaction', 'ask', 'ask: { to: ada, message: Which number?, answer: { type: object } }\n'],
  [
    'recall',
    'count',
    `export const reads = [{ events: {} }];
export const initial = 0;
export const evolve = (state) => state + 1;
export const answer = (state) => state;
`,
  ],
  [
    'workflow',
    'act',
    `${HEAD}do:
  - act: { try: [ { call: { call: tool, with: { tool: api/act, arguments: { body: { id: '\${ .id }' } } } } } ], catch: { do: [ { passed: { set: { done: false } } } ] } }
  - double: { call: computation/double, with: { n: 21 } }
  - slow: { call: computation/slow, with: { n: 4000000 } }
  - pause: { wait: PT1S }
  - ask: { call: interaction/ask }
`,
  ],
];

/** What holds whatever happens: what was acknowledged. */
export interface Acknowledged {
  events: Set<string>;
  runs: Set<string>;
  answers: Set<string>;
  cancelled: Set<string>;
}

export interface ChaosClient {
  acknowledged: Acknowledged;
  send(method: string, route: string, body?: JsonObject): Promise<{ status: number; body: JsonObject } | undefined>;
  /** Answers or cancels what still waits, until every run has ended. */
  finish(patience: number): Promise<void>;
  /** Works until the signal is aborted. */
  work(signal: AbortSignal): Promise<void>;
}

/** A request that got no answer may or may not have been carried out. */
const REQUEST_PATIENCE = 25_000;

export function createChaosClient(address: string): ChaosClient {
  const acknowledged: Acknowledged = { events: new Set(), runs: new Set(), answers: new Set(), cancelled: new Set() };

  const send: ChaosClient['send'] = async (method, route, body) => {
    try {
      const answer = await fetch(`${address}${route}`, {
        method,
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(REQUEST_PATIENCE),
      });
      return { status: answer.status, body: (await answer.json()) as JsonObject };
    } catch {
      return undefined;
    }
  };
  const isDone = (answer: { status: number } | undefined): boolean => answer !== undefined && answer.status < 300;

  async function publish(): Promise<void> {
    const id = randomUUID();
    const event = { id, source: '/chaos', type: 'happened', data: { id } };
    if (isDone(await send('POST', `${AT}/events`, { event }))) acknowledged.events.add(id);
  }

  async function run(): Promise<void> {
    const id = randomUUID();
    const start = (): ReturnType<typeof send> =>
      send('POST', `${AT}/definitions/workflow/act/run`, { input: { id }, run_id: id });
    // The same id is safe to send again.
    if (isDone(await start()) || isDone(await start())) acknowledged.runs.add(id);
  }

  async function openRequests(): Promise<string[]> {
    const inbox = await send('GET', `${AT}/interactions`);
    const requests = (inbox?.body['interactions'] ?? []) as { run_id: string }[];
    return requests.map(({ run_id: id }) => id);
  }

  async function answerOne(runId: string | undefined): Promise<void> {
    if (runId === undefined) return;
    if (isDone(await send('POST', `${AT}/runs/${runId}/answer`, { answer: { n: 1 } }))) acknowledged.answers.add(runId);
  }

  async function cancel(): Promise<void> {
    const runs = [...acknowledged.runs];
    const id = runs[Math.floor(Math.random() * runs.length)];
    if (id === undefined) return;
    if (isDone(await send('POST', `${AT}/runs/${id}/cancel`, {}))) acknowledged.cancelled.add(id);
  }

  async function answerSome(): Promise<void> {
    const open = await openRequests();
    await answerOne(open[Math.floor(Math.random() * open.length)]);
  }

  const count = (): Promise<unknown> => send('POST', `${AT}/definitions/recall/count/run`, { input: {} });
  const works = [publish, publish, run, answerSome, answerSome, count, cancel];

  return {
    acknowledged,
    send,
    async work(signal) {
      for (let turn = 0; !signal.aborted; turn += 1) {
        await works[turn % works.length]?.();
        await wait(20);
      }
    },
    async finish(patience) {
      const end = Date.now() + patience;
      for (;;) {
        const started = await send('GET', `${AT}/runs?status=started&limit=100`);
        const runs = started?.status === 200 ? (started.body['runs'] as { run_id: string }[]) : undefined;
        if (runs?.length === 0) return;
        if (Date.now() > end) throw new Error(`${runs?.length ?? 'Unknown'} runs did not end: ${JSON.stringify(runs)}`);
        for (const runId of await openRequests()) await answerOne(runId);
        await wait(500);
      }
    },
  };
}
