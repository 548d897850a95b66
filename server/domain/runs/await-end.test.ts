import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import type { Run } from '../../../shared/schemas/index.ts';
import { createFakeClock } from '../../lib/clock.ts';
import { Refused } from '../../lib/rejection.ts';
import { type Call, DEVELOPER, makeCallable, type RunWait } from '../../operations/index.ts';
import { startServer, type TestServer } from '../../test/index.ts';

const RUN_ID = '0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6b';
const HEAD = "document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\n";
const HEAR = '{ hear: { listen: { to: { one: { with: { type: answered } } } } } }';
const RAISE = "{ no: { raise: { error: { type: 'https://a.example/no', status: 500, title: No } } } }";

const clock = createFakeClock();
let server: TestServer;

async function carryOut(
  name: string,
  path: Record<string, string>,
  fields: JsonObject,
  more: Partial<Call> = {},
): Promise<unknown> {
  const operation = server.operations.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`There is no operation ${name}.`);
  const call: Call = {
    caller: DEVELOPER,
    org: 'local',
    traceId: '0'.repeat(32),
    signal: new AbortController().signal,
    pageDefault: 50,
    ...more,
  };
  return makeCallable(operation).execute(call, path, fields);
}

beforeAll(async () => {
  server = await startServer({ clock });
  await carryOut('create_playbook', {}, { playbook: 'desk', name: 'Desk' });
  for (const [name, steps] of [
    ['hears', `do: [ ${HEAR}, { say: { set: '\${ .[0] }' } } ]`],
    ['raises', `do: [ ${HEAR}, ${RAISE} ]`],
  ] as const) {
    await carryOut('create_definition', { playbook: 'desk', type: 'workflow' }, { name, source: HEAD + steps });
  }
});
afterAll(() => server.close());

/** Runs a workflow and waits for its end; `waiting` resolves with its id once its first progress was reported. */
function runAndWait(name: string, more: Partial<Call> & { fields?: JsonObject } = {}) {
  const sentences: string[] = [];
  const waiting = Promise.withResolvers<void>();
  const wait: RunWait = {
    forMs: 45_000,
    async onProgress(sentence) {
      sentences.push(sentence);
      waiting.resolve();
    },
  };
  const { fields = {}, ...call } = more;
  const path = { playbook: 'desk', type: 'workflow', name };
  const ended = carryOut('run_definition', path, fields, { wait, ...call }) as Promise<Run>;
  return { ended, sentences, waiting: waiting.promise };
}

async function sendTo(name: string, data: JsonObject): Promise<string> {
  const { runs } = (await carryOut('list_runs', { playbook: 'desk' }, { name, status: 'started' })) as { runs: Run[] };
  const [{ run_id } = { run_id: '' }] = runs;
  await carryOut('send_run_event', { playbook: 'desk', run_id }, { event: { type: 'answered', data } });
  return run_id;
}

test('given a run that waits, then its progress is reported and its end is the answer', async () => {
  const { ended, sentences, waiting } = runAndWait('hears');
  await waiting;
  const runId = await sendTo('hears', { approved: true });
  expect(await ended).toMatchObject({ run_id: runId, status: 'succeeded', output: { approved: true } });
  expect(await ended).not.toHaveProperty('record');
  expect(sentences[0]).toMatch(/^\S.*\.$/);
});

test('given several callers wait for the same run, then each gets its end', async () => {
  const first = runAndWait('hears', { fields: { run_id: RUN_ID } });
  await first.waiting;
  const second = runAndWait('hears', { fields: { run_id: RUN_ID } });
  await second.waiting;
  await sendTo('hears', { n: 2 });
  const end = { run_id: RUN_ID, status: 'succeeded', output: { n: 2 } };
  expect(await Promise.all([first.ended, second.ended])).toMatchObject([end, end]);

  // A later caller gets it without waiting.
  expect(await runAndWait('hears', { fields: { run_id: RUN_ID } }).ended).toMatchObject(end);
});

test('given the run does not succeed, then its ending is the refusal', async () => {
  const { ended, waiting } = runAndWait('raises');
  await waiting;
  const runId = await sendTo('raises', {});
  const refused = await ended.catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refused);
  expect(refused).toMatchObject({ members: { run_id: runId } });
});

test('given the run outlasts the wait, or the caller leaves, then the run in progress is the answer', async () => {
  const late = runAndWait('hears');
  await late.waiting;
  clock.advance(44_999);
  clock.advance(1);
  expect(await late.ended).toMatchObject({ status: 'started', waits_for: ['event'] });

  const leaving = new AbortController();
  const left = runAndWait('hears', { signal: leaving.signal });
  await left.waiting;
  leaving.abort();
  expect(await left.ended).toMatchObject({ status: 'started', waits_for: ['event'] });
});

test('given the service stops, then the run in progress is the answer', async () => {
  const { ended, waiting } = runAndWait('hears');
  await waiting;
  const closed = server.close();
  expect(await ended).toMatchObject({ status: 'started' });
  await closed;
});
