// Calls that are carried out before the commit that records them. The test moves the clock, triggers each commit and says
// when a function works.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../shared/json.ts';
import { cancelTop, retirePlaybook, TOP } from '../../../test/durability/callers.testing.ts';
import type { ProcessOptions, ServiceProcess } from '../../../test/durability/process.testing.ts';
import { breachesOf } from '../../../test/durability/record.testing.ts';
import {
  ADD_ONE,
  appliedIn,
  commitAll,
  inputsOf,
  look,
  statusesOf,
  topOf,
  useSteppedCases,
} from '../../../test/durability/stepped-cases.testing.ts';

const { clock, given, begun, started, start } = useSteppedCases();

/** How long the calls of one commit may take together, and how much of that must be left where one begins, in milliseconds. */
const TIME = 400;
const LEAST = 50;
const THREE = [ADD_ONE, ADD_ONE, ADD_ONE];
const ENDED = 'called_run_ended';

interface Held {
  file: string;
  service: ServiceProcess;
  /** How often functions were carried out. */
  carriedOut: () => number;
  release: () => void;
}

/**
 * A service in which the function of the second call of `main` works once it is released.
 * @param third what the function waits for that begins after it
 */
async function held(
  steps: readonly JsonObject[],
  watched: Partial<ProcessOptions['watch']> = {},
  third?: Promise<void>,
): Promise<Held> {
  const file = await given(steps);
  const { promise, resolve: release } = Promise.withResolvers<void>();
  let [begins, count] = [0, 0];
  const watch: ProcessOptions['watch'] = {
    carriedOut: () => (count += 1),
    performed: () => {},
    holds: () => [undefined, promise, third][begins++],
    ...watched,
  };
  const service = await begun(file, { watch });
  await service.settle();
  return { file, service, carriedOut: () => count, release };
}

const startTasksIn = (file: string): number => look(file, `SELECT 1 FROM tasks WHERE kind = 'run-start'`).length;

async function expectEnded(file: string, service: ServiceProcess): Promise<void> {
  expect(await topOf(service)).toMatchObject({ status: 'succeeded', output: { n: 4 } });
  expect(statusesOf(file)).toEqual(['main succeeded', ...THREE.map(() => 'add-one succeeded')]);
  expect(inputsOf(file)).toEqual(['started', ENDED, ENDED, ENDED]);
  expect(look(file, 'SELECT 1 FROM tasks UNION ALL SELECT 1 FROM run_waiters')).toEqual([]);
  expect(breachesOf(file)).toEqual([]);
}

test('given calls one after another, then the commit of the first one records them all, each caused by the one before', async () => {
  const file = await given(THREE);
  const service = await started(file);
  expect(await commitAll(service)).toBe(1);
  await expectEnded(file, service);
  const runs = look<{ type: string; cause: string; id: string }>(
    file,
    `SELECT type, id, json_extract(metadata, '$.causation_id') AS cause FROM events
     WHERE stream != 'run-${TOP}' AND type IN ('run_started', 'run_succeeded') ORDER BY read_position`,
  );
  const [first, ...applied] = appliedIn(file);
  const starts = runs.filter(({ type }) => type === 'run_started');
  const endings = runs.filter(({ type }) => type === 'run_succeeded');
  expect(starts.map(({ cause }) => cause)).toEqual([first, ...applied.slice(0, -1)].map((one) => one?.id));
  expect(applied.map(({ cause }) => cause)).toEqual(endings.map(({ id }) => id));
});

test.each([false, true])(
  'given a crash around that commit, recorded: %s, then the next start ends the same',
  async (isKept) => {
    const file = await given(THREE);
    const service = await started(file);
    if (isKept) await service.commit(0, true);
    await service.kill();
    expect(statusesOf(file)).toHaveLength(isKept ? 4 : 1);
    const next = start(file);
    void next.begin();
    await commitAll(next);
    await expectEnded(file, next);
  },
);

test('given a try that was cut off, then nothing is carried out ahead of its commit', async () => {
  const { file, service } = await held(THREE);
  await service.kill();
  const next = start(file);
  void next.begin();
  while (statusesOf(file).length === 1) {
    await next.settle();
    await next.commit(0, false);
  }
  expect(statusesOf(file)).toEqual(['main started', 'add-one succeeded']);
  await commitAll(next);
  await expectEnded(file, next);
});

test('given a call that takes longer than the time, then it is given up, and started by a task', async () => {
  const { file, service, carriedOut, release } = await held(THREE);
  expect(await service.settle()).toBe(0);
  clock.advance(TIME - 1);
  expect(await service.settle()).toBe(0);
  clock.advance(1);
  expect(await service.settle()).toBe(1);
  await service.commit(0, false);
  expect(statusesOf(file)).toEqual(['main started', 'add-one succeeded']);
  expect(startTasksIn(file)).toBe(1);
  await service.settle();
  // The function is not tried ahead of a commit again: the second call, and then the third.
  expect(await commitAll(service)).toBe(2);
  release();
  await service.settle();
  expect(carriedOut()).toBe(4);
  await expectEnded(file, service);
});

test.each([
  ['so long that enough of the time is left', TIME - LEAST, 3],
  ['so long that too little is left', TIME - LEAST + 1, 2],
])('given a call that takes %s, then so many are recorded together', async (_, took, together) => {
  const { file, service, release } = await held(THREE);
  clock.advance(took);
  release();
  await service.settle();
  await service.commit(0, false);
  expect(statusesOf(file).filter((one) => one === 'add-one succeeded')).toHaveLength(together);
  await commitAll(service);
  await expectEnded(file, service);
});

test('given a cancel that comes meanwhile, then it is applied before the next call', async () => {
  const { file, service, release } = await held(THREE);
  cancelTop(service).catch(() => {});
  await service.settle();
  await service.commit(0, false);
  expect(await service.settle()).toBe(0);
  release();
  await commitAll(service);
  // Its request moved the run, so that the first ending is recorded by itself.
  expect(await topOf(service)).toMatchObject({ status: 'rejected' });
  expect(statusesOf(file)).toEqual(['main rejected', 'add-one succeeded']);
  expect(inputsOf(file)).toEqual(['started', 'cancel_requested']);
  expect(breachesOf(file)).toEqual([]);
});

test('given another input that waits, then the calls that are carried out are recorded before it, and no other is begun', async () => {
  const listens = { listen: { to: { one: { with: { type: 'told' } } } } };
  const calls = { do: [{ one: ADD_ONE }, { two: ADD_ONE }, { three: ADD_ONE }] };
  const { file, service, carriedOut, release } = await held([{ fork: { branches: [{ calls }, { listens }] } }]);
  const event = { type: 'told', source: '/outside', id: 'event' };
  void service.events.publish({ org: 'local', playbook: 'desk' }, event, 'developer', 'a'.repeat(32));
  await service.settle();
  await service.commit(0, false);
  await service.settle();
  release();
  await service.settle();
  expect(carriedOut()).toBe(2);
  await service.commit(0, false);
  expect(inputsOf(file)).toEqual(['started', ENDED, ENDED]);
  await commitAll(service);
  expect(inputsOf(file)).toContain('event_received');
  expect(await topOf(service)).toMatchObject({ status: 'succeeded' });
  expect(breachesOf(file)).toEqual([]);
});

test('given a time limit that is over when the call has ended, then the limit comes first', async () => {
  const LIMIT = 20;
  const limited = { ...ADD_ONE, timeout: { after: { milliseconds: LIMIT } } };
  const third = Promise.withResolvers<void>();
  const { file, service, release } = await held([ADD_ONE, limited], {}, third.promise);
  clock.advance(LIMIT);
  release();
  await commitAll(service);
  third.resolve();
  await commitAll(service);
  expect(await topOf(service)).toMatchObject({ status: 'rejected' });
  expect(inputsOf(file)).toEqual(['started', ENDED, 'timer_due']);
  expect(breachesOf(file)).toEqual([]);
});

test('given a time limit around all calls that is over when a call has ended, then the limit comes first', async () => {
  const LIMIT = 150;
  const calls = { do: [{ one: ADD_ONE }, { two: ADD_ONE }], timeout: { after: { milliseconds: LIMIT } } };
  const third = Promise.withResolvers<void>();
  const { file, service, carriedOut, release } = await held([calls], {}, third.promise);
  clock.advance(LIMIT);
  // The claim of the timer.
  await service.settle();
  await service.commit(0, false);
  release();
  await service.settle();
  expect(carriedOut()).toBe(2);
  await commitAll(service);
  third.resolve();
  await commitAll(service);
  expect(await topOf(service)).toMatchObject({ status: 'rejected' });
  expect(inputsOf(file)).toEqual(['started', ENDED, 'timer_due']);
  expect(statusesOf(file)).toEqual(['main rejected', 'add-one succeeded']);
  expect(breachesOf(file)).toEqual([]);
});

test('given a time limit that is not over, then its timer is gone with the commit', async () => {
  const limited = { ...ADD_ONE, timeout: { after: { seconds: 1 } } };
  const file = await given([ADD_ONE, limited, limited]);
  const service = await started(file);
  expect(await commitAll(service)).toBe(1);
  await expectEnded(file, service);
});

test('given a playbook that is retired meanwhile, then no call is recorded', async () => {
  const { file, service, release } = await held([ADD_ONE, ADD_ONE]);
  retirePlaybook(service).catch(() => {});
  await service.settle();
  await service.commit(0, false);
  release();
  await commitAll(service);
  expect(statusesOf(file)).toEqual(['main rejected']);
  expect(breachesOf(file)).toEqual([]);
});

test('given a function that is to be recorded before it ends, then it is started by a task', async () => {
  let functions = 0;
  const isSlow = (): boolean => ++functions === 2;
  const { file, service } = await held(THREE, { isSlow, holds: () => undefined });
  expect(await service.settle()).toBe(1);
  await service.commit(0, false);
  expect(statusesOf(file)).toEqual(['main started', 'add-one succeeded']);
  await commitAll(service);
  await expectEnded(file, service);
});

test('given a loop of calls, then one commit holds a bounded number of its turns', async () => {
  const file = await given([{ for: { in: '[range(150)]' }, do: [{ one: { ...ADD_ONE, with: { n: 1 } } }] }]);
  const service = await started(file);
  await service.commit(0, false);
  const [first] = look<{ count: number }>(file, `SELECT COUNT(*) AS count FROM runs WHERE name = 'add-one'`);
  expect(first?.count).toBe(100);
  await commitAll(service);
  expect(await topOf(service)).toMatchObject({ status: 'succeeded' });
});
