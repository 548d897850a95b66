// Processes that die while they carry out tasks, one after the other over one store.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../lib/clock.ts';
import type { Store } from '../log/index.ts';
import { openTemporaryStore, settle, type TemporaryStore } from '../log/testing.ts';
import {
  TaskRunner,
  createTasks,
  freeExpiredClaims,
  limitingDeaths,
  type Task,
  type TaskHandler,
  taskMigrations,
  type Tasks,
} from './index.ts';

const PLACE = { org: 'acme', playbook: 'support' };
/** Two kinds in two lanes. */
const LANES = { slow: 'perform_tasks' } as const;

let clock: FakeClock;
let temporary: TemporaryStore;
/** As the last process opened it. */
let store: Store;
let runners: Pick<TaskRunner, 'start' | 'wake' | 'stop'>[];
let starts: number;
/** What was begun since the last start, what was done, and what was ended since it killed the process. */
let begun: string[];
let done: string[];
let ended: string[];

beforeEach(() => {
  clock = createFakeClock();
  temporary = openTemporaryStore(taskMigrations, clock);
  store = temporary.store;
  runners = [];
  starts = 0;
  [begun, done, ended] = [[], [], []];
});

afterEach(async () => {
  await Promise.all(runners.map((runner) => runner.stop()));
  await temporary.remove();
});

interface TestProcess {
  tasks: Tasks;
  runners: Pick<TaskRunner, 'start' | 'wake' | 'stop'>[];
}

/**
 * Where processes share the store, the one before lets its lease go, and the others free what it had claimed. Where one
 * process has the store, its runners do that at their start.
 */
async function takeOver(tasks: Tasks): Promise<void> {
  const { shared } = store;
  if (shared === undefined) return;
  const { id } = shared.holder();
  store = await temporary.reopen();
  await freeExpiredClaims(store, tasks, [id]);
}

/**
 * Starts a process, which dies as soon as it begins a task whose key begins with `deadly`: nothing of it runs any further.
 * @param isHeld whether it begins what does not kill it and never ends it
 */
async function startProcess({ isHeld = () => false }: { isHeld?: () => boolean } = {}): Promise<TestProcess> {
  const tasks = createTasks(LANES);
  await takeOver(tasks);
  const own = store;
  begun = [];
  starts += 1;
  let isDead = false;
  const grace = new AbortController();
  const finish = async (task: Task, lease: Parameters<TaskHandler>[1], list: string[]): Promise<void> => {
    await own.write(PLACE, (tx) => lease.finish(tx));
    list.push(task.key);
  };
  const carryOut: TaskHandler = async (task, lease) => {
    begun.push(task.key);
    if (task.key.startsWith('deadly')) isDead = true;
    // Whatever else was claimed with it begins before the process dies.
    await own.read(async () => undefined);
    if (isDead || isHeld())
      await new Promise<void>((resolve) => grace.signal.addEventListener('abort', () => resolve()));
    await finish(task, lease, done);
  };
  const handler = limitingDeaths(carryOut, (task, lease) => finish(task, lease, ended));
  const ofLanes = (['tasks', 'perform_tasks'] as const).map(
    (table) =>
      new TaskRunner({
        store: own,
        clock,
        tasks,
        table,
        holder: `start-${starts}`,
        handlers: { quick: handler, slow: handler },
        onError({ error }) {
          // The store of a process that died is closed.
          if (own === store) throw new Error('A runner failed.', { cause: error });
        },
        alone: true,
        graceOver: grace.signal,
      }),
  );
  runners.push(
    ...ofLanes.map((runner) => ({
      start: () => runner.start(),
      wake: () => runner.wake(),
      stop() {
        grace.abort();
        return runner.stop();
      },
    })),
  );
  for (const runner of ofLanes) runner.start();
  await untilQuiet();
  return { tasks, runners: runners.slice(-ofLanes.length) };
}

/** Resolves once nothing further is begun or done: the process is dead, or has no more to do. */
async function untilQuiet(): Promise<void> {
  for (let before = -1; before !== begun.length + done.length; ) {
    before = begun.length + done.length;
    await settle();
  }
}

async function add(...keys: string[]): Promise<void> {
  const tasks = createTasks(LANES);
  await store.write(PLACE, async (tx) => {
    for (const key of keys) {
      const kind = key.endsWith('slow') ? 'slow' : 'quick';
      clock.advance(1);
      await tasks.add(tx, PLACE, { kind, key, dueAt: clock.now(), payload: null });
    }
  });
}

describe('a task during which the process dies', () => {
  test.each([
    ['first', ['deadly', 'other', 'other slow']],
    ['last', ['other', 'other slow', 'deadly']],
    ['in another lane', ['other', 'deadly slow', 'other slow']],
  ])('is ended at the fourth start, and whatever was carried out with it is done: %s', async (_where, keys) => {
    await add(...keys);
    const deadly = keys.filter((key) => key.startsWith('deadly'));
    for (const start of [1, 2]) {
      await startProcess();
      expect(begun.toSorted(), `start ${start}`).toEqual(keys.toSorted());
    }
    await startProcess();
    expect(ended).toEqual([]);
    await startProcess();
    expect(ended).toEqual(deadly);
    expect(done.toSorted()).toEqual(keys.filter((key) => key.startsWith('other')).toSorted());
  });

  test('is found among many, and among several of its kind', async () => {
    const others = Array.from({ length: 40 }, (_, n) => `other ${n}${n % 2 === 0 ? ' slow' : ''}`);
    await add(...others.slice(0, 20), 'deadly a', ...others.slice(20), 'deadly b slow');
    for (let start = 1; start <= 5; start += 1) await startProcess();
    expect(ended.toSorted()).toEqual(['deadly a', 'deadly b slow']);
    expect(done.toSorted()).toEqual(others.toSorted());
  });

  test('does not delay tasks that are added later', async () => {
    await add('deadly');
    await startProcess();
    await startProcess();
    await add('later');
    await startProcess();
    await startProcess();
    expect([ended, done]).toEqual([['deadly'], ['later']]);
  });
});

test('a stop is no death, however often it comes while a task is carried out', async () => {
  await add('patient');
  for (let stop = 1; stop <= 5; stop += 1) {
    const { runners: own } = await startProcess({ isHeld: () => true });
    expect(begun).toEqual(['patient']);
    await Promise.all(own.map((runner) => runner.stop()));
  }
  await startProcess();
  expect([ended, done]).toEqual([[], ['patient']]);
});

test('a suspect that a stop interrupts is parked again, and others of its kind are carried out one at a time', async () => {
  await add('deadly', 'a', 'b slow');
  await startProcess();
  await startProcess();
  await store.write(PLACE, (tx) => createTasks(LANES).remove(tx, PLACE, 'quick', 'deadly'));
  const { runners: own } = await startProcess({ isHeld: () => true });
  expect(begun).toHaveLength(1);
  await Promise.all(own.map((runner) => runner.stop()));
  const { runners: next } = await startProcess({ isHeld: () => true });
  expect(begun).toHaveLength(1);
  await Promise.all(next.map((runner) => runner.stop()));
  await startProcess();
  expect([ended, done.toSorted()]).toEqual([[], ['a', 'b slow']]);
});

test('a suspect that is removed while it is carried out lets the next one begin, in another lane too', async () => {
  await add('deadly', 'a', 'b slow');
  await startProcess();
  await startProcess();
  await store.write(PLACE, (tx) => createTasks(LANES).remove(tx, PLACE, 'quick', 'deadly'));
  let isHeld = true;
  const { tasks } = await startProcess({ isHeld: () => isHeld });
  const [first = ''] = begun;
  isHeld = false;
  await store.write(PLACE, (tx) => tasks.remove(tx, PLACE, first.endsWith('slow') ? 'slow' : 'quick', first));
  await untilQuiet();
  expect(begun).toEqual([first]);
});
