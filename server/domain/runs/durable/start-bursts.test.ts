// Pure functions that a run calls first, which are executed before its start is recorded. The test triggers each commit.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../shared/json.ts';
import { AGAIN, PLACE, startTop } from '../../../test/durability/callers.testing.ts';
import type { ProcessOptions, ServiceProcess } from '../../../test/durability/process.testing.ts';
import { breachesOf } from '../../../test/durability/record.testing.ts';
import {
  ADD_ONE,
  commitAll,
  inputsOf,
  look,
  statusesOf,
  topOf,
  useSteppedCases,
  WATCH,
} from '../../../test/durability/stepped-cases.testing.ts';

const { clock, given, start } = useSteppedCases();

/** How long the calls before the start may take together, in milliseconds. */
const TIME = 100;
const TWO = [ADD_ONE, ADD_ONE];
const ENDED = 'called_run_ended';

interface Begun {
  file: string;
  service: ServiceProcess;
  /** The response to the request that starts `main`. */
  response: Promise<unknown>;
}

/** A service that was asked to start `main`. */
async function begun(steps: readonly JsonObject[], watch: Partial<ProcessOptions['watch']> = {}): Promise<Begun> {
  const file = await given(steps);
  const service = start(file, { watch: { ...WATCH, ...watch } });
  void service.begin();
  await commitAll(service);
  return { file, service, response: startTop(service) };
}

const startAgain = ({ runs }: ServiceProcess): Promise<unknown> =>
  runs.runOrFind({
    ...PLACE,
    type: 'workflow',
    name: 'main',
    runId: AGAIN,
    input: { n: 1 },
    by: 'developer',
    signal: new AbortController().signal,
  });

async function expectEnded(file: string, service: ServiceProcess): Promise<void> {
  expect(await topOf(service)).toMatchObject({ status: 'succeeded', output: { n: 3 } });
  expect(statusesOf(file)).toEqual(['main succeeded', 'add-one succeeded', 'add-one succeeded']);
  expect(inputsOf(file)).toEqual(['started', ENDED, ENDED]);
  expect(look(file, 'SELECT 1 FROM tasks UNION ALL SELECT 1 FROM run_waiters')).toEqual([]);
  expect(breachesOf(file)).toEqual([]);
}

test('given calls from the first step on, then they are recorded with the start, whose response is that of its first wait', async () => {
  const { file, service, response } = await begun(TWO);
  expect(await commitAll(service)).toBe(1);
  await expectEnded(file, service);
  const busy = await begun(TWO, { areWorkersBusy: () => true });
  await commitAll(busy.service);
  const shown = await response;
  expect(shown).toMatchObject({ status: 'started', record: {}, waits_for: ['run'] });
  expect(await busy.response).toEqual(shown);
});

test('given a crash before the commit, then nothing is recorded, and the same request starts the run', async () => {
  const { file, service } = await begun(TWO);
  await service.settle();
  await service.kill();
  expect(statusesOf(file)).toEqual([]);
  const next = start(file);
  void next.begin();
  startTop(next).catch(() => {});
  await commitAll(next);
  await expectEnded(file, next);
});

test('given two requests under one id at the same time, then one starts the run, and both get it', async () => {
  const { file, service, response } = await begun(TWO);
  const other = startTop(service);
  await commitAll(service);
  expect(await response).toMatchObject({ status: 'started' });
  expect(await other).toMatchObject({ status: 'succeeded' });
  await expectEnded(file, service);
});

test('given a first call that takes too long, then the start is recorded without it after that time', async () => {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const { file, service, response } = await begun(TWO, { holds: () => promise });
  expect(await service.settle()).toBe(0);
  clock.advance(TIME);
  expect(await service.settle()).toBe(1);
  await service.commit(0, false);
  expect(await response).toMatchObject({ status: 'started' });
  expect(statusesOf(file)).toEqual(['main started']);
  release();
  await commitAll(service);
  await expectEnded(file, service);
});

test('given a function that is changed before the commit, then the start is recorded without its calls', async () => {
  const { service } = await begun(TWO);
  await commitAll(service);
  const response = startAgain(service);
  await service.settle();
  const definition = { ...PLACE, type: 'computation', name: 'add-one' } as const;
  const source = 'export default ({ n }) => ({ n: n + 10 });';
  const changed = service.definitions.update(definition, source, 'ada');
  await expect.poll(() => service.settle()).toBe(2);
  await service.commit(1, false);
  await changed;
  await commitAll(service);
  expect(await response).toMatchObject({ status: 'started' });
  expect(await service.runs.get(PLACE, AGAIN)).toMatchObject({ status: 'succeeded', output: { n: 21 } });
});

test('given an event, then the calls that follow are recorded with it', async () => {
  const listen = { listen: { to: { one: { with: { type: 'told' } } } }, output: { as: '{ n: 1 }' } };
  const { file, service } = await begun([listen, ...TWO]);
  await commitAll(service);
  const event = { type: 'told', source: '/outside', id: 'event' };
  void service.events.publish(PLACE, event, 'developer', 'a'.repeat(32));
  while (inputsOf(file).length === 1) {
    await service.settle();
    await service.commit(0, false);
  }
  expect(inputsOf(file)).toEqual(['started', 'event_received', ENDED, ENDED]);
  expect(await topOf(service)).toMatchObject({ status: 'succeeded', output: { n: 3 } });
  expect(breachesOf(file)).toEqual([]);
});

test('given a worker that cannot start, then the start is recorded without its calls', async () => {
  const areWorkersBusy = (): boolean => {
    throw new Error('The sandbox cannot start its workers.');
  };
  const { file, service, response } = await begun(TWO, { areWorkersBusy });
  expect(await service.settle()).toBe(1);
  await service.commit(0, false);
  expect(await response).toMatchObject({ status: 'started' });
  await commitAll(service);
  await expectEnded(file, service);
});

test('given a decision that a worker cannot make and that takes too long, then the start is recorded without it', async () => {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const decides = (thread: 'main' | 'worker'): Promise<void> =>
    thread === 'main' ? promise : Promise.reject(new Error('It needs the main thread.'));
  const { file, service, response } = await begun(TWO, { decides });
  expect(await service.settle()).toBe(0);
  clock.advance(TIME);
  expect(await service.settle()).toBe(1);
  await service.commit(0, false);
  expect(await response).toMatchObject({ status: 'started' });
  expect(statusesOf(file)).toEqual(['main started']);
  release();
  await commitAll(service);
  await expectEnded(file, service);
});

test.each([false, true])(
  'given branches that call functions, competing: %s, then each call is a task, and the first that ends counts',
  async (compete) => {
    const branches = [{ one: ADD_ONE }, { two: { ...ADD_ONE, with: { n: 5 } } }];
    const { file, service, response } = await begun([{ fork: { branches, compete } }]);
    expect(await service.settle()).toBe(1);
    await service.commit(0, false);
    expect(await response).toMatchObject({ status: 'started' });
    expect(look(file, `SELECT 1 FROM tasks WHERE kind = 'run-start'`)).toHaveLength(2);
    await commitAll(service);
    const outputs = [{ n: 2 }, { n: 6 }];
    const { output } = await topOf(service);
    expect(compete ? outputs : [outputs]).toContainEqual(output);
    expect(breachesOf(file)).toEqual([]);
  },
);
