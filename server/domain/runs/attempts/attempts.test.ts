// Attempts of a kind that is held where its work begins, over a real store.
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFINITION_TYPES, type DefinitionType } from '../../../../shared/definition-types.ts';
import type { Json } from '../../../../shared/json.ts';
import { createIds } from '../../../kernel/ids.ts';
import { type EventLog, selectStream } from '../../../kernel/log/index.ts';
import { createStopping } from '../../../kernel/stopping.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { createFakeClock } from '../../../lib/clock.ts';
import { Refused } from '../../../lib/rejection.ts';
import { createSchemaChecker, type SchemaChecker } from '../../../lib/schemas/index.ts';
import { createTextWork } from '../../../lib/text-work/index.ts';
import { openLog } from '../../../runtime/open-stores.ts';
import { readSettings } from '../../../settings/index.ts';
import { createLogger } from '../../../test/durability/parts.testing.ts';
import { temporaryFolder } from '../../../test/index.ts';
import { Definitions } from '../../definitions/index.ts';
import { createPlaybooks, type Playbooks } from '../../playbooks/index.ts';
import { Tools } from '../../tools/index.ts';
import type { RunInvocation } from '../durable/invocation.ts';
import { createRecording } from '../durable/record-decision.ts';
import { streamOf } from '../history/events.ts';
import { selectRun } from '../history/sql.ts';
import { Attempts } from './attempts.ts';

const PLACE = { org: 'local', playbook: 'desk' };
const ECHO = { ...PLACE, type: 'computation', name: 'echo' } as const;

const clock = createFakeClock();
const folder = temporaryFolder();
let log: EventLog;
let playbooks: Playbooks;
let schemas: SchemaChecker;

beforeAll(async () => {
  schemas = createSchemaChecker();
  log = openLog(readSettings({ DATA_DIR: folder.path }), clock, (sentence) => expect.fail(sentence));
  playbooks = createPlaybooks(log, async () => {});
  await playbooks.create(PLACE, { name: 'Desk', description: '' }, 'developer');
  await new Definitions(log, byType(kindOf(async () => 0)), []).create(ECHO, '', 'developer');
});
afterAll(async () => {
  await Promise.all([log.close(), schemas.close()]);
  folder.remove();
});

/** Returns what the work comes to; the signal is aborted when no caller waits for it any more. */
function kindOf(work: (signal: AbortSignal) => Promise<number>, traits: Kind['traits'] = {}): Kind {
  return {
    type: 'computation',
    traits,
    check: async () => ({
      ok: true,
      document: { examples: [], expose: false, overview: '', references: [], warnings: [] },
    }),
    start: async ({ signal }) => ({ status: 'succeeded', output: await work(signal), record: {} }),
  };
}

/** The parts of a shared store that attempts do not use. */
const UNUSED = {
  isOwn: () => false,
  announce: () => {},
  onAnnounced: () => {},
  onCommittedElsewhere: () => {},
  onExpired: () => {},
  lookForExpired: async () => {},
};

const noMove = async (): Promise<never> => expect.fail('The kind decides nothing.');

function byType(kind: Kind): Record<DefinitionType, Kind> {
  return Object.fromEntries(DEFINITION_TYPES.map((type) => [type, kind])) as Record<DefinitionType, Kind>;
}

function attemptsOf(kind: Kind, store = log, onLogged = (line: unknown): void => expect.fail(String(line))): Attempts {
  const logger = createLogger(onLogged);
  const settings = { toolServers: () => [] };
  return new Attempts({
    log: store,
    kinds: byType(kind),
    schemas,
    tools: new Tools({
      settings,
      mode: 'local',
      version: 'test',
      schemas,
      textWork: createTextWork(),
      clock,
      logger,
    }),
    record: createRecording({
      log,
      ids: createIds(clock),
      applyCommand: noMove,
      requests: { put: noMove, opened: noMove, dropped: noMove },
    }),
    notifyWaiter: async () => {},
    withCaller: (_run, _ending, write) => write(async () => {}),
    holder: 'start-1',
    logger,
    clock,
    ids: createIds(clock),
    stopping: createStopping(clock),
  });
}

function requestOf(input: Json = {}, signal = new AbortController().signal): RunInvocation {
  return { ...ECHO, runId: undefined, input, by: 'developer', signal };
}

test.each([
  ['that the store refuses', new Refused({ reason: 'unavailable', detail: 'The disk is full.' }), 0],
  ['whose record fails in an unexpected way', new Error('The disk is full.'), 1],
])('an ending %s is recorded as soon as the store takes it', async (_name, failure, logs) => {
  const goOn = Promise.withResolvers<number>();
  const begun = Promise.withResolvers<void>();
  let isFull = false;
  const full: EventLog = {
    ...log,
    write: (scope, work) => (isFull ? Promise.reject(failure) : log.write(scope, work)),
  };
  const held = kindOf(() => {
    begun.resolve();
    return goOn.promise;
  });
  const logged: unknown[] = [];
  const attempts = attemptsOf(held, full, (line) => logged.push(line));
  const runId = createIds(clock)();
  const answer = attempts.run(requestOf(), runId);
  await begun.promise;
  isFull = true;
  goOn.resolve(7);
  await expect(answer).rejects.toThrow('The disk is full.');
  const statusOf = async () => (await log.read((tx) => selectRun(tx, PLACE, runId)))?.status;
  clock.advance(1000);
  await setImmediate();
  expect(await statusOf()).toBe('started');
  isFull = false;
  // A request under its run id joins it meanwhile.
  const again = attempts.run(requestOf(), runId);
  clock.advance(2000);
  expect(await again).toMatchObject({ status: 'succeeded', output: 7, attempt: 1 });
  expect(attempts.areAny).toBe(false);
  expect(logged).toHaveLength(logs);
});

test.each([
  ['a run whose caller leaves goes on to its ending', {}, false],
  ['and is interrupted where its kind ends with its caller', { traits: { endsWithCaller: true } }, true],
] as const)('%s', async (_name, traits, isInterrupted) => {
  const [begun, goOn] = [Promise.withResolvers<AbortSignal>(), Promise.withResolvers<number>()];
  const held = kindOf((signal) => {
    begun.resolve(signal);
    return goOn.promise;
  });
  const caller = new AbortController();
  const run = attemptsOf({ ...held, ...traits }).run(requestOf({}, caller.signal), crypto.randomUUID());
  const signal = await begun.promise;
  caller.abort();
  expect(signal.aborted).toBe(isInterrupted);
  goOn.resolve(7);
  expect(await run).toMatchObject({ status: 'succeeded', output: 7 });
});

/** A kind that usually ends at once, held until `release`. */
function heldAtOnce(): { kind: Kind; begun: Promise<unknown>; works: () => number; release: (output: number) => void } {
  const [begun, released] = [Promise.withResolvers<unknown>(), Promise.withResolvers<number>()];
  let works = 0;
  const work = (): Promise<number> => {
    works += 1;
    begun.resolve(undefined);
    return released.promise;
  };
  const kind = kindOf(work, { endsAtOnce: true });
  return { kind, begun: begun.promise, works: () => works, release: released.resolve };
}

const historyOf = (runId: string) =>
  log.read((tx) => selectStream(tx, PLACE, { stream: streamOf(runId), order: 'asc', after: undefined, limit: 10 }));
const rowOf = (runId: string) => log.read((tx) => selectRun(tx, PLACE, runId));

test('given a run that ends at once, then start and ending are one commit with their own times', async () => {
  const runId = crypto.randomUUID();
  const { kind, begun, release } = heldAtOnce();
  const run = attemptsOf(kind).run(requestOf(), runId);
  await begun;
  const startedAt = clock.now();
  clock.advance(49);
  expect(await rowOf(runId)).toBeUndefined();
  release(7);
  expect(await run).toMatchObject({ status: 'succeeded', output: 7, attempt: 1 });
  const [started, ended, ...more] = await historyOf(runId);
  expect([started?.type, ended?.type, more]).toEqual(['run_started', 'run_succeeded', []]);
  expect(ended?.metadata).toMatchObject({ causation_id: started?.id, span_id: started?.metadata.span_id });
  expect([started, ended].map((event) => Date.parse(event?.metadata.at ?? ''))).toEqual([startedAt, startedAt + 49]);
  expect(await rowOf(runId)).toMatchObject({ status: 'succeeded', duration_ms: 49 });
});

test('given a run that takes 50 ms, then its start is recorded by itself', async () => {
  const runId = crypto.randomUUID();
  const { kind, begun, release } = heldAtOnce();
  const attempts = attemptsOf(kind);
  const run = attempts.run(requestOf(), runId);
  await begun;
  clock.advance(50);
  await expect.poll(() => rowOf(runId)).toMatchObject({ status: 'started', attempt: 1 });
  const other = attempts.run(requestOf(), runId);
  release(7);
  expect(await Promise.all([run, other])).toMatchObject([{ output: 7 }, { output: 7 }]);
  expect((await historyOf(runId)).map(({ type }) => type)).toEqual(['run_started', 'run_succeeded']);
});

test('given a run that is not recorded yet, then a second request under its id meets it', async () => {
  const runId = crypto.randomUUID();
  const { kind, begun, works, release } = heldAtOnce();
  const attempts = attemptsOf(kind);
  const first = attempts.run(requestOf(), runId);
  await begun;
  const second = attempts.run(requestOf(), runId);
  await expect(attempts.run(requestOf({ other: true }), runId)).rejects.toThrow(`The run ${runId} belongs to`);
  release(7);
  expect(await Promise.all([first, second])).toMatchObject([{ output: 7 }, { output: 7 }]);
  expect(works()).toBe(1);
});

test('given a run that another process recorded meanwhile, then the request gets its ending', async () => {
  const runId = crypto.randomUUID();
  const [one, other] = [heldAtOnce(), heldAtOnce()];
  const late = attemptsOf(one.kind).run(requestOf(), runId);
  const early = attemptsOf(other.kind).run(requestOf(), runId);
  await Promise.all([one.begun, other.begun]);
  other.release(8);
  expect(await early).toMatchObject({ output: 8 });
  one.release(7);
  expect(await late).toMatchObject({ output: 8 });
  expect(await historyOf(runId)).toHaveLength(2);
});

test('given a run that another process has in progress, then every request gets its ending', async () => {
  const sharedBy = (id: string): EventLog => {
    const holder = { id, lost: new AbortController().signal };
    const shared = { holder: () => holder, leaseEnd: async () => clock.now() + 15_000 };
    return { ...log, shared: { ...UNUSED, ...shared } };
  };
  const runId = crypto.randomUUID();
  const [one, other] = [heldAtOnce(), heldAtOnce()];
  const there = attemptsOf(one.kind, sharedBy('there')).run(requestOf(), runId);
  await one.begun;
  const here = attemptsOf(other.kind, sharedBy('here'));
  const requests = [here.run(requestOf(), runId)];
  await other.begun;
  // Joins the attempt that is not recorded yet; the third one comes when the run is known to be in progress there.
  requests.push(here.run(requestOf(), runId));
  clock.advance(50);
  await expect.poll(() => rowOf(runId)).toMatchObject({ status: 'started' });
  requests.push(here.run(requestOf(), runId));
  other.release(7);
  await expect.poll(() => here.areAny).toBe(false);
  one.release(8);
  expect(await Promise.all([there, ...requests])).toMatchObject(Array.from({ length: 4 }, () => ({ output: 8 })));
  expect(await historyOf(runId)).toHaveLength(2);
});

test('given a run whose kind asks for its start to be recorded, then that is committed before it continues', async () => {
  const runId = crypto.randomUUID();
  let seen: unknown;
  const kind = kindOf(async () => 7, { endsAtOnce: true });
  const start: Kind['start'] = async (run) => {
    await run.recordStart?.();
    seen = await rowOf(runId);
    return kind.start(run);
  };
  expect(await attemptsOf({ ...kind, start }).run(requestOf(), runId)).toMatchObject({ output: 7 });
  expect(seen).toMatchObject({ status: 'started' });
});

test('given a remembered definition that is updated before the start of a run is recorded, then the current version runs', async () => {
  const definition = { ...ECHO, name: 'moving' };
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
  let executions = 0;
  const kind = kindOf(
    async () => {
      executions += 1;
      if (executions !== 2) return 7;
      begun.resolve();
      return released.promise;
    },
    { endsAtOnce: true },
  );
  const definitions = new Definitions(log, byType(kind), []);
  await definitions.create(definition, 'one', 'developer');
  const attempts = attemptsOf(kind);
  await attempts.run({ ...requestOf(), ...definition }, crypto.randomUUID());
  const runId = crypto.randomUUID();
  const run = attempts.run({ ...requestOf(), ...definition, isNewId: true }, runId);
  await begun.promise;
  await definitions.update(definition, 'two', 'developer');
  released.resolve(8);
  expect(await run).toMatchObject({ status: 'succeeded', attempt: 1, output: 7 });
  expect(await rowOf(runId)).toMatchObject({ definition_version: 2 });
  expect(executions).toBe(3);
  expect(await historyOf(runId)).toHaveLength(2);
});

test('given a playbook that is retired before the run is recorded, then nothing is recorded of it', async () => {
  const place = { org: 'local', playbook: 'closing' };
  await playbooks.create(place, { name: 'Closing', description: '' }, 'developer');
  const { kind, begun, release } = heldAtOnce();
  await new Definitions(log, byType(kind), []).create({ ...ECHO, ...place }, '', 'developer');
  const runId = crypto.randomUUID();
  const run = attemptsOf(kind).run({ ...requestOf(), ...place }, runId);
  await begun;
  await playbooks.retire(place, 'developer');
  release(7);
  await expect(run).rejects.toThrow('retired');
  expect(await log.read((tx) => selectRun(tx, place, runId))).toBeUndefined();
});

test('given a stop while a run is still looked up, then the run records nothing and is left to the next start', async () => {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow: EventLog = {
    ...log,
    async read(...read) {
      reached.resolve();
      await released.promise;
      return log.read(...read);
    },
  };
  const kind = kindOf(async () => 7, { endsAtOnce: true });
  const start: Kind['start'] = async (run) => {
    await run.recordStart?.();
    return kind.start(run);
  };
  const attempts = attemptsOf({ ...kind, start }, slow);
  const runId = crypto.randomUUID();
  const run = attempts.run(requestOf(), runId);
  await reached.promise;
  await attempts.stop();
  released.resolve();
  await expect(run).rejects.toThrow('The service stopped before the run ended');
  await setImmediate();
  expect(await rowOf(runId)).toBeUndefined();
});
