// Whether a run waits is decided by each run: runs of one kind, over a real store.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { DEFINITION_TYPES, type DefinitionType } from '../../../shared/definition-types.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { createIds } from '../../kernel/ids.ts';
import type { EventLog } from '../../kernel/log/index.ts';
import { createStopping } from '../../kernel/stopping.ts';
import { TaskRunner, createTasks } from '../../kernel/tasks/index.ts';
import type { Command, RunInput } from '../../kinds/durable.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Ending } from '../../kinds/run.ts';
import { createFakeClock } from '../../lib/clock.ts';
import { createSchemaChecker } from '../../lib/schemas/index.ts';
import { createTextWork } from '../../lib/text-work/index.ts';
import { openLog } from '../../runtime/open-stores.ts';
import { readSettings, type ToolServer } from '../../settings/index.ts';
import { TOOL_SERVERS } from '../../settings/tool-servers.ts';
import { createLogger } from '../../test/durability/parts.testing.ts';
import { temporaryFolder } from '../../test/index.ts';
import { Definitions } from '../definitions/index.ts';
import { createPublishing } from '../events/index.ts';
import { createInteractions } from '../interactions/index.ts';
import { createPlaybooks } from '../playbooks/index.ts';
import { documentOf, entryOf, serveApi } from '../tools/api.testing.ts';
import { Tools } from '../tools/index.ts';
import { createEndWaiting } from './durable/requests.ts';
import { selectWaiter } from './durable/sql.ts';
import { requireRun } from './history/present.ts';
import type { Runs } from './interface.ts';
import { createRuns } from './runs.ts';

const PLACE = { org: 'local', playbook: 'desk' };
/** A type whose runs may ask; the kind below stands in for every type. */
const KEY = { ...PLACE, type: 'prediction', name: 'build' } as const;
const HOUR = 60 * 60 * 1000;

/** What the kind took in, as `INPUT KEY`. */
const taken: string[] = [];

/** Ends at once, or waits for what its input names: an answer, uploads, a timer. */
const KIND: Omit<Kind, 'type'> = {
  traits: { takesUploads: true },
  check: async () => ({
    ok: true,
    document: { examples: [], expose: false, overview: '', references: [], warnings: [] },
  }),
  async start({ input, attempt, startedAt }) {
    const { waits = [] } = input as { waits?: string[] };
    if (waits.length === 0) return { status: 'succeeded', output: 'at once', record: {} };
    const commands = waits.map((one) => COMMANDS[one]?.(startedAt)).filter((one) => one !== undefined);
    return { status: 'waiting', decision: { moved: [], parts: new Map([['attempt', attempt]]), commands } };
  },
  async decide(_run, state, input) {
    taken.push(input.kind);
    const ending = endingOf(input, await state.part('attempt'));
    return { moved: [], parts: new Map(), commands: [], ...(ending === undefined ? {} : { ending }) };
  },
};

const DELIVERY = { server: 'chat', tool: 'post', arguments: { text: 'Which?' } };
const COMMANDS: Readonly<Record<string, (now: number) => Command>> = {
  answer: (now) => ({
    do: 'put_request',
    request: { to: 'forecasters', message: 'Which?', answerSchema: {}, expiresAt: now + HOUR, delivery: null },
  }),
  'answer through a tool': (now) => ({
    do: 'put_request',
    request: { to: 'forecasters', message: 'Which?', answerSchema: {}, expiresAt: now + HOUR, delivery: DELIVERY },
  }),
  'notice through a tool': (now) => ({
    do: 'put_request',
    request: { to: 'forecasters', message: 'Done.', answerSchema: null, expiresAt: now + HOUR, delivery: DELIVERY },
  }),
  upload: () => ({ do: 'expect_upload', number: 1, data: { for: 'models' } }),
  timer: (now) => ({ do: 'start_timer', number: 1, at: now + HOUR, data: {} }),
};

function endingOf({ kind, data }: RunInput, attempt: unknown): Ending | undefined {
  if (kind === 'cancel_requested') {
    return { status: 'rejected', rejection: { reason: 'cancelled', kind: String(data['kind']), detail: 'Cancelled.' } };
  }
  if (data['last'] === 'refused') {
    return { status: 'rejected', rejection: { reason: 'unavailable', detail: 'Not now.' } };
  }
  const isOver = kind === 'request_ended' || kind === 'timer_due' || data['last'] === true;
  return isOver ? { status: 'succeeded', output: { ...data, attempt: Number(attempt) }, record: {} } : undefined;
}

const clock = createFakeClock();
const folder = temporaryFolder();
const cleanUp: (() => Promise<unknown>)[] = [];
let log: EventLog;
let toolServers: readonly ToolServer[] = [];
let runs: Runs;
let interactions: ReturnType<typeof createInteractions>;

beforeAll(async () => {
  log = openLog(readSettings({ DATA_DIR: folder.path }), clock, (sentence) => expect.fail(sentence));
  const [ids, tasks, stopping] = [createIds(clock), createTasks(), createStopping(clock)];
  const [schemas, textWork] = [createSchemaChecker(), createTextWork()];
  const logger = createLogger((error) => expect.fail(String(error)));
  const kinds = Object.fromEntries(DEFINITION_TYPES.map((type) => [type, { ...KIND, type }])) as Record<
    DefinitionType,
    Kind
  >;
  const settings = { toolServers: () => toolServers };
  const tools = new Tools({ settings, mode: 'local', version: 'test', schemas, textWork, clock, logger });
  const common = { log, clock, ids, tasks, tools, schemas, kinds };
  interactions = createInteractions({
    ...common,
    endWaiting: createEndWaiting(common),
    withCaller: (...ended) => runs.withCaller(...ended),
    graceOver: stopping.graceOver,
  });
  runs = createRuns({
    ...common,
    bursts: { continueInWorker: async () => undefined },
    publishing: createPublishing({ log, clock, ids }),
    requests: interactions.requests,
    triggeredRunEnded: async () => {},
    holder: 'start-1',
    logger,
    stopping,
  });
  await createPlaybooks(log, async () => {}).create(PLACE, { name: 'Desk', description: '' }, 'developer');
  await new Definitions(log, kinds, []).create(KEY, '', 'developer');
  const runner = new TaskRunner({
    store: log,
    clock,
    tasks,
    holder: 'start-1',
    handlers: { ...runs.handlers, ...interactions.handlers },
    onError: ({ error }) => expect.fail(String(error)),
    alone: true,
  });
  runner.start();
  cleanUp.push(
    () => runner.stop(),
    () => log.close(),
    () => schemas.close(),
    () => textWork.close(),
  );
});
afterAll(async () => {
  for (const one of cleanUp) await one();
  folder.remove();
});

const start = (waits: string[], runId: string = crypto.randomUUID()) =>
  runs.run({ ...KEY, runId, input: { waits }, by: 'developer', signal: new AbortController().signal });
async function ended(runId: string): ReturnType<Runs['get']> {
  await expect.poll(async () => (await runs.get(PLACE, runId)).status).not.toBe('started');
  return runs.get(PLACE, runId);
}

const upload = (runId: string, id: string, ending: JsonObject) =>
  log.write(PLACE, async (tx) =>
    runs.uploads.ended(tx, await requireRun(tx, PLACE, runId), { number: 1, id, ending, cause: null }),
  );
const open = () => interactions.list(PLACE, {}, undefined, 10);

test('given a run that waits for nothing, then it ends within its request', async () => {
  expect(await start([])).toMatchObject({ status: 'succeeded', output: 'at once', attempt: 1 });
});

test('given a called run whose task holds its waiter, then the waiter is kept while the run waits', async () => {
  const runId = crypto.randomUUID();
  const waiter = { waiting_run_id: crypto.randomUUID(), data: '{}' };
  const calledBy = { run_id: waiter.waiting_run_id, reference: '/do/0/build', run: 'workflow/forecast' };
  await runs.runOrFind({
    ...KEY,
    runId,
    input: { waits: ['timer'] },
    by: 'developer',
    signal: new AbortController().signal,
    chain: { top: waiter.waiting_run_id, calledBy, callDepth: 1, depth: 0 },
    call: {
      isFirstTry: true,
      waiter,
      requireHeld: async () => {},
      worked: () => {},
      settle: async () => true,
      finish: async () => {},
    },
  });
  expect(await log.read((tx) => selectWaiter(tx, { ...PLACE, run_id: runId }))).toEqual(waiter);
});

test('given a run that puts a question, then its answer is an input of the run', async () => {
  const { run_id: id, ...run } = await start(['answer']);
  expect(run).toMatchObject({ status: 'started', waits_for: ['answer'] });
  expect(await open()).toMatchObject([{ request: { run_id: id, type: 'prediction', to: 'forecasters' } }]);
  await interactions.answer(PLACE, id, { answer: { chosen: 7 }, claimedFor: undefined, by: 'developer' });
  expect(await ended(id)).toMatchObject({ status: 'succeeded', output: { output: { chosen: 7 }, attempt: 1 } });
  expect(await open()).toEqual([]);
});

/** Offers a tool for delivery until the end of the test; returns what it was sent. */
async function offerChat(): Promise<() => string[]> {
  const text = { name: 'text', in: 'query', schema: { type: 'string' } };
  const chat = await serveApi(
    documentOf({ post: { method: 'post', summary: 'Posts a message.', parameters: [text] } }),
    (_request, response) => void response.setHeader('content-type', 'application/json').end('{"id":7}'),
  );
  const value = { tool_servers: { chat: entryOf(chat) } };
  const file = { name: 'the test', value, expand: (written: string) => written };
  toolServers = TOOL_SERVERS.read({ file, environment: {}, mode: () => 'local', keptKeys: () => [] }, false);
  onTestFinished(() => void (toolServers = []));
  return () => chat.seen.filter(({ method }) => method === 'POST').map(({ url }) => url);
}

test('given a run that puts a question through a tool, then it is delivered once, and its answer is an input', async () => {
  const sent = await offerChat();
  taken.length = 0;
  const { run_id: id } = await start(['answer through a tool']);
  await expect.poll(open).toMatchObject([{ request: { run_id: id, standing: 'delivered' } }]);
  expect(taken).toEqual([]);
  await interactions.answer(PLACE, id, { answer: { chosen: 7 }, claimedFor: undefined, by: 'developer' });
  expect((await ended(id)).output).toMatchObject({ output: { chosen: 7 } });
  expect([taken, await open(), sent()]).toEqual([['request_ended'], [], ['/post?text=Which%3F']]);
});

test('given a run that puts a notice through a tool, then its delivery is an input', async () => {
  const sent = await offerChat();
  taken.length = 0;
  const { run_id: id } = await start(['notice through a tool']);
  expect((await ended(id)).output).toMatchObject({ output: { delivered: true } });
  expect([taken, await open(), sent()]).toEqual([['request_ended'], [], ['/post?text=Which%3F']]);
});

test('given a tool that is not offered, then the run is rejected, and no request is left', async () => {
  await expect(start(['answer through a tool'])).rejects.toMatchObject({
    rejection: { reason: 'unavailable', kind: 'tool_not_offered' },
  });
  expect(await open()).toEqual([]);
});

test('given a question that expires, then its run decides how to continue', async () => {
  const { run_id: id } = await start(['answer']);
  clock.advance(HOUR);
  const { output } = await ended(id);
  expect(output).toMatchObject({ status: 'rejected', rejection: { reason: 'unanswered', kind: 'expired' } });
  expect(await open()).toEqual([]);
});

test('given a run that expects uploads, then it takes each once, until it ends', async () => {
  const { run_id: id, ...run } = await start(['upload', 'timer']);
  expect(run).toMatchObject({ status: 'started', waits_for: ['upload'] });
  taken.length = 0;
  expect(await upload(id, 'a', { bytes: 1 })).toBe(true);
  await expect.poll(() => taken).toEqual(['upload_ended']);
  expect(await log.read(async (tx) => runs.uploads.expected(tx, await requireRun(tx, PLACE, id)))).toEqual([
    { number: 1, data: { for: 'models' } },
  ]);
  expect(await upload(id, 'b', { last: true })).toBe(true);
  expect((await ended(id)).output).toEqual({ for: 'models', number: 1, last: true, attempt: 1 });
  expect(await upload(id, 'c', { bytes: 1 })).toBe(false);
});

test('given a run that is cancelled while it waits, then its kind decides how it ends', async () => {
  const { run_id: id } = await start(['answer', 'upload']);
  expect((await runs.get(PLACE, id)).waits_for).toEqual(['answer', 'upload']);
  await runs.cancel(PLACE, id, { reason: undefined, by: 'developer', traceId: '' });
  expect(await ended(id)).toMatchObject({ status: 'rejected', reason: 'cancelled' });
  expect(await open()).toEqual([]);
});

test('given a second attempt, then what the first one left behind does not reach it', async () => {
  const { run_id: id } = await start(['upload', 'timer']);
  expect(await start(['upload', 'timer'], id)).toMatchObject({ status: 'started', attempt: 1 });
  await upload(id, 'a', { last: 'refused' });
  expect(await ended(id)).toMatchObject({ status: 'rejected', reason: 'unavailable' });
  clock.advance(HOUR / 2);
  expect(await start(['upload', 'timer'], id)).toMatchObject({ status: 'started', attempt: 2 });
  clock.advance(HOUR / 2);
  // It comes after the timer of the first attempt, which was due.
  taken.length = 0;
  await upload(id, 'a', {});
  await expect.poll(() => taken).toEqual(['upload_ended']);
  clock.advance(HOUR / 2);
  expect(await ended(id)).toMatchObject({ status: 'succeeded', output: { number: 1, attempt: 2 } });
});
