// Task runners over a temporary store with a fake clock, new for each test.
import { afterEach, beforeEach } from 'vitest';
import { createFakeClock, type FakeClock } from '../../lib/clock.ts';
import { openSqliteStore, type PlaybookKey, type Store } from '../log/index.ts';
import { openTemporaryStore, type TemporaryStore } from '../log/testing.ts';
import {
  TaskRunner,
  createTasks,
  type NewTask,
  type Task,
  type TaskFailure,
  type TaskHandler,
  type TaskLease,
  taskMigrations,
  type TaskRunnerOptions,
  type Tasks,
} from './index.ts';

export const PLACE: PlaybookKey = { org: 'acme', playbook: 'support' };
export let clock: FakeClock;
let temporary: TemporaryStore;
export let store: Store;
export let tasks: Tasks;
export let done: string[];
export let failures: TaskFailure[];
let runners: TaskRunner[];
let letGo: (() => void)[];
let others: Store[];

const migrations = [...taskMigrations, { id: 'test/1', sql: 'CREATE TABLE done (key TEXT NOT NULL)' }];

/** Call it once in each test file: test files of one worker share this module. */
export function renewForEachTest(): void {
  beforeEach(() => {
    clock = createFakeClock();
    temporary = openTemporaryStore(migrations, clock);
    store = temporary.store;
    others = [];
    tasks = createTasks();
    done = [];
    failures = [];
    runners = [];
    letGo = [];
  });

  afterEach(async () => {
    for (const goOn of letGo) goOn();
    await Promise.all(runners.map((runner) => runner.stop()));
    await Promise.all(others.map((other) => other.close()));
    await temporary.remove();
  });
}

/** The store as another process opens it; only where the tests run on one that processes share. */
export function openOther(): Store {
  const other = openSqliteStore({
    file: temporary.file,
    migrations,
    clock,
    onUnknownCommit(sentence) {
      throw new Error(sentence);
    },
  });
  others.push(other);
  return other;
}

/** Notes the key in the transaction that finishes the task. */
export const note: TaskHandler = (task, lease) => record(task, lease);

/** @param own the store of the process that carries the task out */
export async function record(task: Task, lease: TaskLease, own = store): Promise<void> {
  await own.write(task, async (tx) => {
    await tx.run('INSERT INTO done (key) VALUES ($1)', [task.key]);
    await lease.finish(tx);
  });
  done.push(task.key);
}

export function start(handler: TaskHandler, options: Partial<TaskRunnerOptions> = {}): TaskRunner {
  const runner = new TaskRunner({
    store,
    clock,
    tasks,
    holder: 'start-1',
    handlers: { note: handler },
    onError: (failure) => failures.push(failure),
    ...options,
  });
  runners.push(runner);
  runner.start();
  return runner;
}

export async function add(key: string, options: Partial<NewTask> & { place?: PlaybookKey; replace?: boolean } = {}) {
  const { place = PLACE, replace = false, ...task } = options;
  return store.write(place, (tx) =>
    tasks.add(tx, place, { kind: 'note', key, dueAt: clock.now(), payload: null, ...task }, { replace }),
  );
}

export const left = (): Promise<Task[]> => store.read((tx) => tx.all<Task>('SELECT * FROM tasks ORDER BY key'));

/** What was committed, which `done` must agree with. */
export async function committed(): Promise<string[]> {
  return (await store.read((tx) => tx.all<{ key: string }>('SELECT key FROM done'))).map(({ key }) => key);
}

/** A handler that reports each task it began and waits until the test lets it continue. */
export function createHeldHandler() {
  const held: { task: Task; lease: TaskLease; goOn: () => void }[] = [];
  const handler: TaskHandler = async (task, lease) => {
    await new Promise<void>((goOn) => {
      held.push({ task, lease, goOn });
      letGo.push(goOn);
    });
    await record(task, lease);
  };
  return { held, handler };
}

/** The store as a process sees it whose writes fail from some moment on: a full disk, or the end of the process. */
export function createCutStore(): { cut: Store; cutOff: (isCut?: boolean) => void } {
  let refusing = false;
  return {
    cut: {
      ...store,
      write: (scope, work) => (refusing ? Promise.reject(new Error('disk full')) : store.write(scope, work)),
    },
    cutOff(isCut = true) {
      refusing = isCut;
    },
  };
}
