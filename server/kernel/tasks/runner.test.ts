import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../lib/clock.ts';
import type { PlaybookKey, Store } from '../log/index.ts';
import { openTemporaryStore, settle, type TemporaryStore } from '../log/testing.ts';
import { unavailable } from '../../lib/rejection.ts';
import {
  createTaskRunner,
  createTasks,
  type NewTask,
  type Task,
  type TaskFailure,
  type TaskHandler,
  type TaskLease,
  taskMigrations,
  type TaskRunner,
  type TaskRunnerOptions,
  type Tasks,
} from './index.ts';

const PLACE: PlaybookKey = { org: 'acme', playbook: 'support' };

let clock: FakeClock;
let temporary: TemporaryStore;
let store: Store;
let tasks: Tasks;
let done: string[];
let failures: TaskFailure[];
let runners: TaskRunner[];
let letGo: (() => void)[];

beforeEach(() => {
  clock = createFakeClock();
  const migrations = [...taskMigrations, { id: 'test/1', sql: 'CREATE TABLE done (key TEXT NOT NULL)' }];
  temporary = openTemporaryStore(migrations, clock);
  store = temporary.store;
  tasks = createTasks();
  done = [];
  failures = [];
  runners = [];
  letGo = [];
});

afterEach(async () => {
  for (const goOn of letGo) goOn();
  await Promise.all(runners.map((runner) => runner.stop()));
  await temporary.remove();
});

/** Notes the key in the transaction that finishes the task. */
const note: TaskHandler = (task, lease) => record(task, lease);

async function record(task: Task, lease: TaskLease): Promise<void> {
  await store.write(task, async (tx) => {
    await tx.run('INSERT INTO done (key) VALUES ($1)', [task.key]);
    await lease.finish(tx);
  });
  done.push(task.key);
}

function start(handler: TaskHandler, options: Partial<TaskRunnerOptions> = {}): TaskRunner {
  const runner = createTaskRunner({
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

async function add(key: string, options: Partial<NewTask> & { place?: PlaybookKey; replace?: boolean } = {}) {
  const { place = PLACE, replace = false, ...task } = options;
  return store.write(place, (tx) =>
    tasks.add(tx, place, { kind: 'note', key, dueAt: clock.now(), payload: null, ...task }, { replace }),
  );
}

const left = (): Promise<Task[]> => store.read((tx) => tx.all<Task>('SELECT * FROM tasks ORDER BY key'));

/** What was committed, which `done` must agree with. */
async function committed(): Promise<string[]> {
  return (await store.read((tx) => tx.all<{ key: string }>('SELECT key FROM done'))).map(({ key }) => key);
}

/** A handler that tells of each task it began and waits until it is let go on. */
function createHeldHandler() {
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
function createCutStore(): { cut: Store; cutOff: (isCut?: boolean) => void } {
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

describe('a due task', () => {
  test('is carried out at its time, not before', async () => {
    start(note);
    await add('later', { dueAt: clock.now() + 1_000 });
    clock.advance(999);
    await settle();
    expect(done).toEqual([]);
    clock.advance(1);
    await settle();
    expect(done).toEqual(['later']);
  });

  test('is not due early when its time holds a fraction of a millisecond', async () => {
    start(note);
    await add('later', { dueAt: clock.now() + 0.5 });
    await settle();
    expect(done).toEqual([]);
    clock.advance(1);
    await settle();
    expect(done).toEqual(['later']);
  });

  test('is carried out in the order of due times', async () => {
    for (const [key, ago] of [
      ['third', 1],
      ['first', 3],
      ['second', 2],
    ] as const) {
      await add(key, { dueAt: clock.now() - ago });
    }
    start(note);
    await settle();
    expect(done).toEqual(['first', 'second', 'third']);
  });

  test('is found by the earliest of several times, whatever the order of adding', async () => {
    start(note);
    await add('late', { dueAt: clock.now() + 5_000 });
    await add('early', { dueAt: clock.now() + 1_000 });
    clock.advance(1_000);
    await settle();
    expect(done).toEqual(['early']);
    clock.advance(4_000);
    await settle();
    expect(done).toEqual(['early', 'late']);
  });

  test('that was added wakes the runner after the commit, and not when the work was undone', async () => {
    start(note);
    await settle();
    const refused = store.write(PLACE, async (tx) => {
      await tasks.add(tx, PLACE, { kind: 'note', key: 'undone', dueAt: clock.now(), payload: null });
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    await add('kept');
    await settle();
    expect(done).toEqual(['kept']);
  });

  test('gets its payload back as it was given', async () => {
    const payload = { list: [1, 'two', null, { deep: true }] };
    let given: unknown;
    start(async (task, lease) => {
      given = task.payload;
      await record(task, lease);
    });
    await add('with payload', { payload });
    await settle();
    expect(given).toEqual(payload);
  });
});

describe('a key that is there already', () => {
  test('keeps the first task', async () => {
    expect(await add('same', { payload: 1, dueAt: 10 })).toBe(true);
    expect(await add('same', { payload: 2, dueAt: 5 })).toBe(false);
    expect(await left()).toMatchObject([{ key: 'same', payload: '1', due_at: 10 }]);
  });

  test('takes the new task when told to replace', async () => {
    await add('same', { payload: 1, dueAt: 10 });
    expect(await add('same', { payload: 2, dueAt: 5, replace: true })).toBe(true);
    expect(await left()).toMatchObject([{ key: 'same', payload: '2', due_at: 5, tries: 0 }]);
  });

  test('is another task in another playbook, another org and another kind', async () => {
    await add('same');
    expect(await add('same', { place: { ...PLACE, playbook: 'sales' } })).toBe(true);
    expect(await add('same', { place: { ...PLACE, org: 'other' } })).toBe(true);
    expect(await add('same', { kind: 'other' })).toBe(true);
  });

  test('is added again in the transaction that finishes it', async () => {
    start(async (task, lease) => {
      await store.write(task, async (tx) => {
        await lease.finish(tx);
        await tasks.add(tx, task, { kind: 'note', key: task.key, dueAt: task.dueAt + 1_000, payload: null });
      });
      done.push(`${task.key} at ${task.dueAt - clock.now()}`);
    });
    await add('every second');
    await settle();
    clock.advance(1_000);
    await settle();
    expect(done).toEqual(['every second at 0', 'every second at 0']);
    expect(failures).toEqual([]);
  });
});

describe('fairness', () => {
  test('a playbook with one task does not wait behind one with hundreds that were due before', async () => {
    const { held, handler } = createHeldHandler();
    await store.write(PLACE, async (tx) => {
      for (let index = 0; index < 500; index += 1) {
        await tasks.add(tx, PLACE, { kind: 'note', key: `busy ${index}`, dueAt: 1, payload: null });
      }
    });
    await add('patient', { place: { org: 'acme', playbook: 'quiet' }, dueAt: 2 });
    start(handler);
    await settle();
    expect(held.slice(0, 100).map(({ task }) => task.key)).toContain('patient');
    expect(held).toHaveLength(200);
    for (let begun = 0; begun < held.length; ) {
      for (const { goOn } of held.slice(begun)) goOn();
      begun = held.length;
      await settle();
    }
    expect(new Set(done).size).toBe(501);
  });
});

test('claiming finds the due tasks of every org and playbook, and none that is not due', async () => {
  const places = ['a', 'b', 'c'].flatMap((org) => ['x', 'y', 'z'].map((playbook) => ({ org, playbook })));
  for (const place of places) {
    await add('due', { place });
    await add('later', { place, dueAt: clock.now() + 1 });
  }
  start(async (task, lease) => {
    await record({ ...task, key: `${task.org}${task.playbook} ${task.key}` }, lease);
  });
  await settle();
  expect(done.toSorted()).toEqual(places.map(({ org, playbook }) => `${org}${playbook} due`));
});

describe('a task that throws', () => {
  test('is tried again after waits that double from 2 s to 5 min', async () => {
    const began: number[] = [];
    start(async () => {
      began.push(clock.now());
      throw new Error('not yet');
    });
    await add('stubborn');
    await settle();
    const waits: number[] = [];
    for (let tries = 1; tries <= 10; tries += 1) {
      const retryAt = failures.at(-1)?.retryAt ?? 0;
      clock.advance(retryAt - clock.now() - 1);
      await settle();
      expect(began).toHaveLength(tries);
      clock.advance(1);
      await settle();
      waits.push(((began.at(-1) ?? 0) - (began.at(-2) ?? 0)) / 1_000);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    expect(await left()).toMatchObject([{ key: 'stubborn', tries: 11 }]);
  });

  test('is told with its name and its tries and without its payload', async () => {
    const error = new Error('not yet');
    start(() => Promise.reject(error));
    await add('secretive', { payload: 'a secret' });
    await settle();
    expect(failures).toEqual([
      {
        error,
        task: { ...PLACE, kind: 'note', key: 'secretive', dueAt: clock.now(), tries: 0, deaths: 0 },
        retryAt: clock.now() + 2_000,
      },
    ]);
  });

  test('undoes what it recorded, and is finished by a later try that sees how many failed', async () => {
    start(async (task, lease) => {
      await store.write(PLACE, async (tx) => {
        await tx.run('INSERT INTO done (key) VALUES ($1)', [`try ${task.tries}`]);
        await lease.finish(tx);
        if (task.tries < 2) throw new Error('not yet');
      });
    });
    await add('third time lucky');
    await settle();
    clock.advance(2_000);
    await settle();
    clock.advance(4_000);
    await settle();
    expect(await committed()).toEqual(['try 2']);
    expect(await left()).toEqual([]);
  });

  test('after it was finished is told and not tried again', async () => {
    start(async (task, lease) => {
      await record(task, lease);
      throw new Error('too late');
    });
    await add('finished');
    await settle();
    clock.advance(600_000);
    await settle();
    expect(done).toEqual(['finished']);
    expect(failures).toMatchObject([{ task: { key: 'finished' } }]);
    expect(failures[0]).not.toHaveProperty('retryAt');
  });

  test('is tried again when its handler ended without finishing it, or has no handler', async () => {
    start(() => Promise.resolve());
    await add('forgotten');
    await add('unknown', { kind: 'of a newer version' });
    await settle();
    expect(failures.map(({ error }) => String(error))).toEqual([
      'Error: The handler of note ended without finishing its task.',
      'Error: Nothing carries out tasks of the kind of a newer version.',
    ]);
    expect(await left()).toMatchObject([{ tries: 1 }, { tries: 1 }]);
  });
});

describe('many tasks', () => {
  test('ten thousand that are due at the start are each done once, few at a time', { timeout: 60_000 }, async () => {
    await store.write('every playbook', async (tx) => {
      for (let index = 0; index < 10_000; index += 1) {
        const place = { org: 'acme', playbook: `playbook ${index % 7}` };
        await tasks.add(tx, place, { kind: 'note', key: String(index), dueAt: index, payload: null });
      }
    });
    let carried = 0;
    let most = 0;
    const allDone = Promise.withResolvers<void>();
    start(async (task, lease) => {
      most = Math.max(most, ++carried);
      await record(task, lease);
      carried -= 1;
      if (done.length === 10_000) allDone.resolve();
    });
    await allDone.promise;
    expect(most).toBeLessThanOrEqual(200);
    expect(new Set(await committed()).size).toBe(10_000);
    expect(await left()).toEqual([]);
    expect(failures).toEqual([]);
  });

  test('two runners on one store do each task once', async () => {
    start(note);
    start(note, { holder: 'start-2' });
    for (let round = 0; round < 5; round += 1) {
      const keys = Array.from({ length: 150 }, (_, index) => `${round}-${index}`);
      await Promise.all(keys.map((key) => add(key, { dueAt: clock.now() + (round % 2) })));
      clock.advance(1);
      await settle();
    }
    expect(done).toHaveLength(750);
    expect(new Set(await committed()).size).toBe(750);
    expect(failures).toEqual([]);
  });
});

describe('a lease', () => {
  test('that is renewed is not taken over, however long the task takes', async () => {
    const { held, handler } = createHeldHandler();
    start(handler);
    await add('long');
    await settle();
    start(note, { holder: 'start-2' });
    for (let minute = 0; minute < 30; minute += 1) {
      clock.advance(20_000);
      await settle();
    }
    expect(done).toEqual([]);
    held[0]?.goOn();
    await settle();
    expect(done).toEqual(['long']);
    expect(failures).toEqual([]);
  });

  test('that expired is taken over, and the late one is dropped with all it did', async () => {
    const { cut, cutOff } = createCutStore();
    const { held, handler } = createHeldHandler();
    start(handler, { store: cut });
    await add('contested');
    await settle();
    cutOff();
    start(note, { holder: 'start-2' });
    clock.advance(59_999);
    await settle();
    expect(done).toEqual([]);
    clock.advance(1);
    await settle();
    expect(done).toEqual(['contested']);
    held[0]?.goOn();
    await settle();
    expect(await committed()).toEqual(['contested']);
    expect(failures.filter(({ task }) => task !== undefined)).toEqual([]);
  });

  test('is lost to its own holder too, once the task was claimed again in between', async () => {
    const { held, handler } = createHeldHandler();
    start(handler);
    await add('again');
    await settle();
    await add('again', { replace: true, payload: 'new' });
    await settle();
    expect(held.map(({ task }) => task.payload)).toEqual([null, 'new']);
    held[0]?.goOn();
    await settle();
    expect(await committed()).toEqual([]);
    held[1]?.goOn();
    await settle();
    expect(await committed()).toEqual(['again']);
  });

  test('is lost when the task is removed meanwhile', async () => {
    const { held, handler } = createHeldHandler();
    start(handler);
    await add('called off');
    await settle();
    expect(await store.write(PLACE, (tx) => tasks.remove(tx, PLACE, 'note', 'called off'))).toBe(true);
    expect(await store.write(PLACE, (tx) => tasks.remove(tx, PLACE, 'note', 'called off'))).toBe(false);
    held[0]?.goOn();
    await settle();
    expect(await committed()).toEqual([]);
    expect(failures).toEqual([]);
  });

  test('is taken over when it expires, and the try counts; that its holder died is not known', async () => {
    const { cut, cutOff } = createCutStore();
    start(createHeldHandler().handler, { store: cut });
    await add('interrupted');
    await settle();
    cutOff();
    const counted: object[] = [];
    start(
      async (task, lease) => {
        counted.push({ tries: task.tries, deaths: task.deaths });
        await record(task, lease);
      },
      { holder: 'start-2' },
    );
    clock.advance(60_000);
    await settle();
    expect(counted).toEqual([{ tries: 1, deaths: 0 }]);
    expect(done).toEqual(['interrupted']);
  });

  test('of another start is dead at once where the store belongs to one process', async () => {
    const { cut, cutOff } = createCutStore();
    start(createHeldHandler().handler, { store: cut });
    await add('interrupted');
    await settle();
    cutOff();
    let deaths: number | undefined;
    const handler: TaskHandler = (task, lease) => {
      deaths = task.deaths;
      return record(task, lease);
    };
    start(handler, { holder: 'start-2', alone: true });
    await settle();
    expect(done).toEqual(['interrupted']);
    expect(deaths).toBe(1);
  });
});

describe('a store that cannot be written', () => {
  test('is asked again later, and nothing is lost', async () => {
    const { cut, cutOff } = createCutStore();
    cutOff();
    await add('waiting');
    start(note, { store: cut });
    await settle();
    clock.advance(2_000);
    await settle();
    expect(failures.map(({ retryAt }) => retryAt)).toEqual([clock.now(), clock.now() + 4_000]);
    cutOff(false);
    clock.advance(4_000);
    await settle();
    expect(done).toEqual(['waiting']);
  });

  test('records a failed try once it can be written', async () => {
    const { cut, cutOff } = createCutStore();
    start(
      async (task, lease) => {
        if (task.tries > 0) return record(task, lease);
        cutOff();
        throw new Error('not yet');
      },
      { store: cut },
    );
    await add('unlucky');
    await settle();
    cutOff(false);
    clock.advance(2_000);
    await settle();
    expect(await left()).toMatchObject([{ tries: 1, claimed_by: null }]);
    clock.advance(2_000);
    await settle();
    expect(done).toEqual(['unlucky']);
  });
});

describe('stop', () => {
  test('waits for what is being carried out and begins nothing more', async () => {
    const { held, handler } = createHeldHandler();
    const runner = start(handler);
    await add('begun');
    await settle();
    let stopped = false;
    const stop = runner.stop().finally(() => {
      stopped = true;
    });
    await add('not begun');
    clock.advance(600_000);
    await settle();
    expect(stopped).toBe(false);
    held[0]?.goOn();
    await stop;
    expect(done).toEqual(['begun']);
    expect(held).toHaveLength(1);
    expect(await left()).toMatchObject([{ key: 'not begun', claimed_by: null, tries: 0 }]);
  });

  test('gives back what was claimed and not begun', async () => {
    await add('claimed');
    const runner = start(note);
    await runner.stop();
    expect(done).toEqual([]);
    expect(await left()).toMatchObject([{ key: 'claimed', claimed_by: null, tries: 0 }]);
  });

  test('leaves what has not ended when the grace is over: it counts no try and can finish no more', async () => {
    const { held, handler } = createHeldHandler();
    const grace = new AbortController();
    const runner = start(handler, { graceOver: grace.signal });
    await add('slow');
    await settle();
    const stop = runner.stop();
    grace.abort();
    await stop;
    expect(await left()).toMatchObject([{ key: 'slow', claimed_by: null, tries: 0 }]);
    held[0]?.goOn();
    await settle();
    expect(done).toEqual([]);
    expect(failures).toEqual([]);
    expect(await left()).toMatchObject([{ key: 'slow', claimed_by: null, tries: 0 }]);
  });

  test('leaves what is refused because the service stops: it counts no try', async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    const runner = start(() => promise);
    await add('refused');
    await settle();
    const stop = runner.stop();
    reject(unavailable('The service is stopping.'));
    await stop;
    expect(failures).toEqual([]);
    expect(await left()).toMatchObject([{ key: 'refused', claimed_by: null, tries: 0 }]);
  });

  test('records the failure of what it waited for', async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    const runner = start(() => promise);
    await add('failing');
    await settle();
    const stop = runner.stop();
    reject(new Error('failed'));
    await stop;
    expect(failures).toMatchObject([{ task: { key: 'failing' } }]);
    expect(await left()).toMatchObject([{ key: 'failing', claimed_by: null, tries: 1 }]);
  });
});
