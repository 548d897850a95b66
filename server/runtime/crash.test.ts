// Kills the server at random moments under load, and looks after each start for everything that was acknowledged.
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { createRandom, gapsIn, openStore, rebuild, rowsOf } from './kills.testing.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { startServerProcess, temporaryFolder } from '../test/index.ts';

/** The short form; `npm run kills` sets the long one. */
const KILLS = Number(process.env['CRASH_KILLS'] ?? 8);
const CALLERS = 6;
/** Open questions at each start. */
const QUESTIONS = 4;
const BASE = '/v1/orgs/local/playbooks/crash';
const HEAD = "document: { dsl: '1.0.3', namespace: crash, name: w, version: '1.0.0' }\n";
const DEFINITIONS = [
  ['computation', 'double', 'export default (input) => ({ n: input.n * 2 });\n'],
  ['interaction', 'ask', 'ask: { to: ada, message: Which number?, answer: { type: object } }\n'],
  [
    'workflow',
    'quadruple',
    `${HEAD}do: [ { one: { call: computation/double, with: '\${ . }' } }, { pause: { wait: PT0S } }, { two: { call: computation/double, with: '\${ . }' } } ]\n`,
  ],
  [
    'workflow',
    'double-answer',
    `${HEAD}do: [ { ask: { call: interaction/ask } }, { double: { call: computation/double, with: '\${ . }' } } ]\n`,
  ],
] as const;

interface Acknowledged {
  /** Each event as it was published, and the time that the answer gave. */
  events: Map<string, { event: object; recordedAt: string }>;
  /** Runs of `double`. */
  runs: Map<string, number>;
  /** Runs of `double` that were requested and not answered: it is unknown whether they are recorded. */
  unanswered: Map<string, number>;
  /** Runs of `quadruple`. */
  workflows: Map<string, number>;
  /** The numbers that a person answered. */
  answers: Set<number>;
}

const folder = temporaryFolder();
afterAll(() => folder.remove());

async function post(address: string, route: string, body: unknown): Promise<Response> {
  return fetch(`${address}${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

type Read = (route: string) => Promise<Record<string, unknown>>;
const readerOf =
  (address: string): Read =>
  async (route) =>
    (await (await fetch(`${address}${BASE}${route}`)).json()) as Record<string, unknown>;

async function saveAll(address: string): Promise<void> {
  for (const [type, name, source] of DEFINITIONS) {
    const { status } = await post(address, `${BASE}/definitions/${type}`, { name, source });
    expect([name, status]).toEqual([name, 201]);
  }
}

/** Two requests at the same time, for one run. @throws where the server is gone */
async function double(address: string, runId: string, n: number): Promise<void> {
  const request = { run_id: runId, input: { n } };
  const both = [request, request].map((one) => post(address, `${BASE}/definitions/computation/double/run`, one));
  const answers = (await Promise.all((await Promise.all(both)).map((answer) => answer.json()))) as object[];
  expect(answers).toMatchObject([answers[1], { status: 'succeeded', output: { n: n * 2 } }]);
}

/** Publishes and runs until the server is gone; notes what was answered. */
async function load(address: string, acknowledged: Acknowledged): Promise<void> {
  for (let n = 1; ; n += 1) {
    try {
      const id = randomUUID();
      const event = { source: '/load', type: 'load.sent', id, data: { n } };
      const published = await post(address, `${BASE}/events`, { event });
      const { recorded_at: recordedAt } = (await published.json()) as { recorded_at: string };
      if (published.status === 200) acknowledged.events.set(id, { event, recordedAt });
      const runId = randomUUID();
      acknowledged.unanswered.set(runId, n);
      await double(address, runId, n);
      acknowledged.unanswered.delete(runId);
      acknowledged.runs.set(runId, n);
      const workflow = { run_id: randomUUID(), input: { n } };
      const started = await post(address, `${BASE}/definitions/workflow/quadruple/run`, workflow);
      await started.json();
      if (started.status === 200) acknowledged.workflows.set(workflow.run_id, n);
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

let questions = 0;

async function answer(address: string, runId: string, n: number, answers: Set<number>): Promise<void> {
  const answered = await post(address, `${BASE}/runs/${runId}/answer`, { answer: { n } });
  await answered.json();
  if (answered.status === 200) answers.add(n);
}

/** Answers the questions that were open, one after the other, until the server is gone. */
async function answerAll(address: string, open: readonly string[], answers: Set<number>): Promise<void> {
  try {
    for (const runId of open) await answer(address, runId, ++questions, answers);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

const openIn = async (read: Read): Promise<string[]> => {
  const { interactions } = (await read('/interactions')) as { interactions: { run_id: string }[] };
  return interactions.map(({ run_id: runId }) => runId);
};
const startedIn = async (read: Read, name: string): Promise<unknown> =>
  (await read(`/runs?status=started&name=${name}`))['runs'];

/** Starts workflows until so many questions are open. */
async function ask(address: string): Promise<string[]> {
  const read = readerOf(address);
  const missing = QUESTIONS - (await openIn(read)).length;
  for (let n = 0; n < missing; n += 1) await post(address, `${BASE}/definitions/workflow/double-answer/run`, {});
  await expect.poll(() => openIn(read), { timeout: 20_000 }).toHaveLength(QUESTIONS);
  return openIn(read);
}

async function verify(address: string, acknowledged: Acknowledged): Promise<void> {
  const read = readerOf(address);
  // What nobody heard of is recorded now, or was: the requests do not show which.
  for (const [runId, n] of acknowledged.unanswered) {
    await double(address, runId, n);
    acknowledged.runs.set(runId, n);
  }
  acknowledged.unanswered.clear();
  // The latest ones are those that a crash could have taken.
  for (const [runId, n] of [...acknowledged.runs].slice(-20)) {
    expect(await read(`/runs/${runId}`)).toMatchObject({ status: 'succeeded', output: { n: n * 2 } });
  }
  for (const { event, recordedAt } of [...acknowledged.events.values()].slice(-20)) {
    // An event that was lost would be recorded now, with a later time.
    const again = await post(address, `${BASE}/events`, { event });
    expect([again.status, await again.json()]).toEqual([200, expect.objectContaining({ recorded_at: recordedAt })]);
    const other = await post(address, `${BASE}/events`, { event: { ...event, data: { n: 0 } } });
    expect(other.status).toBe(409);
  }
  await expect.poll(() => startedIn(read, 'quadruple'), { timeout: 20_000 }).toEqual([]);
  for (const [runId, n] of [...acknowledged.workflows].slice(-20)) {
    expect(await read(`/runs/${runId}`)).toMatchObject({ status: 'succeeded', output: { n: n * 4 } });
  }
  const asked = async (): Promise<unknown[]> => (await startedIn(read, 'double-answer')) as unknown[];
  // Each workflow whose question was answered has ended.
  await expect.poll(async () => (await asked()).length - (await openIn(read)).length, { timeout: 20_000 }).toBe(0);
  expect(await startedIn(read, 'double')).toEqual([]);
}

/** Resolves at a moment somewhere in the work: after some acknowledgements, or as soon as an answer is committed. */
async function moment(acknowledged: Acknowledged, random: () => number, isAnswer: boolean): Promise<void> {
  if (!isAnswer) {
    const after = acknowledged.events.size + 1 + Math.floor(random() * 25);
    while (acknowledged.events.size < after) await yieldToEventLoop();
    return;
  }
  const database = openStore(folder.path);
  try {
    const count = database.prepare(`SELECT COUNT(*) FROM events WHERE type = 'request_answered'`).pluck();
    const after = Number(count.get()) + 1 + Math.floor(random() * (QUESTIONS - 1));
    while (Number(count.get()) < after) await yieldToEventLoop();
  } finally {
    database.close();
  }
}

test(`after ${KILLS} kills under load everything acknowledged is there, without gaps, and equals a rebuild`, {
  timeout: 900_000,
}, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const random = createRandom(seed);
  const acknowledged: Acknowledged = {
    events: new Map(),
    runs: new Map(),
    unanswered: new Map(),
    workflows: new Map(),
    answers: new Set(),
  };
  for (let kill = 0; kill <= KILLS; kill += 1) {
    const server = await startServerProcess(folder.path);
    if (kill === 0) {
      await post(server.address, '/v1/orgs/local/playbooks', { playbook: 'crash', name: 'Crash' });
      await saveAll(server.address);
    } else await verify(server.address, acknowledged);
    const open = await ask(server.address);
    const callers = Array.from({ length: CALLERS }, () => load(server.address, acknowledged));
    const person = kill % 2 === 0 ? [answerAll(server.address, open, acknowledged.answers)] : [];
    await moment(acknowledged, random, person.length > 0);
    await server.end('SIGKILL');
    await Promise.all([...callers, ...person]);
  }
  const last = await startServerProcess(folder.path);
  await verify(last.address, acknowledged);
  const read = readerOf(last.address);
  await answerAll(last.address, await openIn(read), acknowledged.answers);
  await expect.poll(() => read('/runs?status=started'), { timeout: 20_000 }).toMatchObject({ runs: [] });
  await last.end('SIGTERM');

  const before = readTables(folder.path);
  expect(before.gaps, `seed ${seed}`).toEqual([]);
  expect(before.runIds).toEqual(expect.arrayContaining([...acknowledged.runs.keys()]));
  expect(before.doubledAnswers).toEqual(expect.arrayContaining([...acknowledged.answers].map((n) => n * 2)));
  expect(new Set(before.doubledAnswers).size).toBe(before.doubledAnswers.length);
  expect(rebuild(folder.path)).toBe('');
  expect(readTables(folder.path).tables).toEqual(before.tables);
});

const TABLES = [
  'playbooks',
  'definitions',
  'definition_versions',
  'definition_references',
  'runs',
  'requests',
  'request_counts',
];
const DOUBLED_ANSWERS = `SELECT json_extract(data, '$.output.n') FROM events JOIN runs ON events.stream = 'run-' || runs.run_id
  WHERE events.type = 'run_succeeded' AND runs.name = 'double-answer'`;

function readTables(dataDir: string) {
  const database = openStore(dataDir);
  try {
    return {
      gaps: gapsIn(database),
      tables: rowsOf(database, TABLES),
      runIds: database.prepare('SELECT run_id FROM runs').pluck().all(),
      doubledAnswers: database.prepare(DOUBLED_ANSWERS).pluck().all() as number[],
    };
  } finally {
    database.close();
  }
}
