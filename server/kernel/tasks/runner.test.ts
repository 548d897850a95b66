import { describe, expect, test } from 'vitest';
import { unavailable } from '../../lib/rejection.ts';
import type { Store } from '../log/index.ts';
import { settle } from '../log/testing.ts';
import {
  PLACE,
  clock,
  store,
  tasks,
  done,
  failures,
  note,
  record,
  start,
  add,
  left,
  committed,
  createCutStore,
  createHeldHandler,
  renewForEachTest,
} from './runner.testing.ts';

const HOUR = 3_600_000;
/** On PostgreSQL each task takes several statements over a connection. */
const MANY = process.env['POSTGRES_FOR_TESTS'] === undefined ? 10_000 : 2000;

renewForEachTest();

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
    await add('same', { payload: 1, dueAt: 10 });
    await add('same', { payload: 2, dueAt: 5 });
    expect(await left()).toMatchObject([{ key: 'same', payload: '1', due_at: 10 }]);
  });

  test('takes the new task with `replace`', async () => {
    await add('same', { payload: 1, dueAt: 10 });
    await add('same', { payload: 2, dueAt: 5, replace: true });
    expect(await left()).toMatchObject([{ key: 'same', payload: '2', due_at: 5, tries: 0 }]);
  });

  test('is another task in another playbook, another org and another kind', async () => {
    await add('same');
    await add('same', { place: { ...PLACE, playbook: 'sales' } });
    await add('same', { place: { ...PLACE, org: 'other' } });
    await add('same', { kind: 'other' });
    expect(await left()).toHaveLength(4);
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

describe('a clock that jumps', () => {
  test('forward runs what became due once, and what is added afterwards on time', async () => {
    start(note);
    await add('in eight hours', { dueAt: clock.now() + 8 * HOUR });
    await add('in forty hours', { dueAt: clock.now() + 40 * HOUR });
    await settle();
    clock.jump(30 * HOUR);
    await settle();
    expect(done).toEqual(['in eight hours']);
    await add('in two seconds', { dueAt: clock.now() + 2000 });
    await settle();
    clock.advance(2000);
    await settle();
    expect(done).toEqual(['in eight hours', 'in two seconds']);
    clock.advance(10 * HOUR);
    await settle();
    expect(done).toEqual(['in eight hours', 'in two seconds', 'in forty hours']);
  });

  test('back runs nothing twice, and delays nothing by more than that', async () => {
    start(note);
    await add('done', { dueAt: clock.now() + HOUR });
    await add('waiting', { dueAt: clock.now() + 2 * HOUR });
    await settle();
    clock.advance(HOUR);
    await settle();
    clock.jump(-3 * HOUR);
    await add('new', { dueAt: clock.now() + 2000 });
    await settle();
    clock.advance(2000);
    await settle();
    expect(done).toEqual(['done', 'new']);
    clock.advance(4 * HOUR - 2000);
    await settle();
    expect(done).toEqual(['done', 'new', 'waiting']);
  });

  test('back delays no next look at a store that failed', async () => {
    const { cut, cutOff } = createCutStore();
    await add('overdue', { dueAt: clock.now() - 2 * HOUR });
    cutOff();
    start(note, { store: cut });
    await settle();
    expect(failures).toHaveLength(1);
    clock.jump(-HOUR);
    cutOff(false);
    clock.advance(2000);
    await settle();
    expect(done).toEqual(['overdue']);
  });

  test('forward has a retry made once, and the one after it in time', async () => {
    let tries = 0;
    start(async () => {
      tries += 1;
      throw new Error('not yet');
    });
    await add('stubborn');
    await settle();
    clock.jump(30 * HOUR);
    await settle();
    expect(tries).toBe(2);
    clock.advance(3999);
    await settle();
    expect(tries).toBe(2);
    clock.advance(1);
    await settle();
    expect(tries).toBe(3);
  });
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

  test('is reported with its name and its tries and without its payload', async () => {
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

  test('after it was finished is reported and not tried again', async () => {
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

describe('while the database is away', () => {
  /** A store whose database goes away. That need not be known at once. */
  function givenDatabase() {
    const told: ((isReachable: boolean) => void)[] = [];
    const database = { isAway: false, isKnown: true, away: 0 };
    const away: Store = {
      ...store,
      standing: {
        isReachable: () => !database.isAway || !database.isKnown,
        onReachable: (tell) => void told.push(tell),
        onClockMeasured: () => {},
        alone: (work) => work(),
      },
      write(scope, work) {
        if (!database.isAway) return store.write(scope, work);
        database.away += 1;
        return Promise.reject(unavailable('The database cannot be reached.'));
      },
    };
    const back = (): void => {
      database.isAway = false;
      for (const tell of told) tell(true);
    };
    return { away, database, back };
  }

  test.each([
    ['and that is known', true],
    ['before that is known', false],
  ])(
    'a task that it refuses %s is tried again seconds after it is back, and the try is not counted',
    async (_when, isKnown) => {
      const { away, database, back } = givenDatabase();
      Object.assign(database, { isKnown });
      const began: number[] = [];
      start(
        async (task, lease) => {
          began.push(clock.now());
          if (began.length === 1) database.isAway = true;
          await record(task, lease, away);
        },
        { store: away },
      );
      await add('patient');
      await settle();
      expect(began).toHaveLength(1);
      database.isKnown = true;
      for (let seconds = 0; seconds < 5 * 60; seconds += 2) {
        clock.advance(2000);
        await settle();
      }
      expect(failures.filter(({ task }) => task !== undefined)).toHaveLength(1);
      expect(database.away).toBeGreaterThan(100);
      back();
      for (let seconds = 0; seconds < 4; seconds += 2) {
        clock.advance(2000);
        await settle();
      }
      expect(done).toEqual(['patient']);
      expect(began).toHaveLength(2);
      expect(failures.map(({ task }) => task?.tries).filter((tries) => tries !== undefined && tries > 0)).toEqual([]);
    },
  );

  test('a task that something else refuses as unavailable is counted', async () => {
    const { away, database } = givenDatabase();
    start(() => Promise.reject(unavailable('The provider does not respond.')), { store: away });
    await add('of a provider');
    await settle();
    clock.advance(2000);
    await settle();
    expect(await left()).toMatchObject([{ key: 'of a provider', tries: 2 }]);
    expect(database.away).toBe(0);
  });

  test('what becomes due is carried out as soon as it is back', async () => {
    const { away, database, back } = givenDatabase();
    start(note, { store: away });
    await add('later', { dueAt: clock.now() + 1000 });
    await settle();
    database.isAway = true;
    for (let minute = 0; minute < 30; minute += 1) {
      clock.advance(60_000);
      await settle();
    }
    expect(done).toEqual([]);
    back();
    await settle();
    expect(done).toEqual(['later']);
  });
});

test('a task whose work is done leaves its place to another, and a stop still waits for its end', async () => {
  const { held, handler } = createHeldHandler();
  for (const key of ['first', 'second', 'third']) await add(key);
  const runner = start(handler, { most: 2 });
  await settle();
  expect(held.map(({ task }) => task.key)).toEqual(['first', 'second']);
  held[0]?.lease.leavePlace();
  await settle();
  expect(held.map(({ task }) => task.key)).toEqual(['first', 'second', 'third']);
  const stopped = runner.stop();
  for (const { goOn } of held) goOn();
  await stopped;
  expect(await committed()).toEqual(expect.arrayContaining(['first', 'second', 'third']));
});

describe('places', () => {
  const addMany = (count: number): Promise<void> =>
    store.write(PLACE, async (tx) => {
      for (let index = 0; index < count; index += 1)
        await tasks.add(tx, PLACE, { kind: 'note', key: String(index), dueAt: clock.now(), payload: null });
    });

  test('are bounded for what one commit adds, too', async () => {
    const { held, handler } = createHeldHandler();
    start(handler);
    await addMany(500);
    await settle();
    expect(held).toHaveLength(200);
    for (let begun = 0; begun < held.length; ) {
      for (const { goOn } of held.slice(begun)) goOn();
      begun = held.length;
      await settle();
      expect(held.length - begun).toBeLessThanOrEqual(200);
    }
    expect(new Set(done).size).toBe(500);
  });

  test('that were promised to a work that was refused are free again', async () => {
    const { held, handler } = createHeldHandler();
    start(handler);
    await settle();
    const refused = store.write(PLACE, async (tx) => {
      for (let index = 0; index < 200; index += 1)
        await tasks.add(tx, PLACE, { kind: 'note', key: `refused ${index}`, dueAt: clock.now(), payload: null });
      throw new Error('refused');
    });
    const claimed = add('kept');
    await expect(refused).rejects.toThrow('refused');
    await claimed;
    expect(held.map(({ task }) => task.key)).toEqual(['kept']);
  });

  /** Each task adds the next one of its chain in the commit that finishes it, and has left its place before. */
  test.each([
    [8, 8],
    [64, 60],
    [200, 190],
  ])(
    'of %i are given to a task that waits, also while %i chains of others begin ever new ones',
    async (most, chains) => {
      const going: (() => void)[] = [];
      const begun: string[] = [];
      let isOver = false;
      start(
        async (task, lease) => {
          begun.push(task.key);
          await new Promise<void>((resolve) => going.push(resolve));
          lease.leavePlace();
          const [chain = '', turn] = task.key.split(' ');
          await store.write(task, async (tx) => {
            await lease.finish(tx);
            if (turn === undefined || isOver) return;
            const key = `${chain} ${Number(turn) + 1}`;
            await tasks.add(tx, PLACE, { kind: 'note', key, dueAt: clock.now(), payload: null });
          });
        },
        { most },
      );
      await settle();
      const goOn = async (count: number): Promise<void> => {
        for (const resolve of going.splice(0, count)) resolve();
        await settle(3);
      };
      for (let chain = 0; chain < chains; chain += 1) await add(`${chain} 0`);
      await add('waits', { dueAt: clock.now() + 1 });
      clock.advance(1);
      for (let turn = 0; turn < 2 * chains && !begun.includes('waits'); turn += 1) await goOn(1);
      expect(begun).toContain('waits');
      isOver = true;
      while (going.length > 0) await goOn(going.length);
      expect(await left()).toEqual([]);
    },
  );
});

describe('many tasks', () => {
  test('thousands that are due at the start are each done once, few at a time', { timeout: 60_000 }, async () => {
    await store.write('every playbook', async (tx) => {
      for (let index = 0; index < MANY; index += 1) {
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
      if (done.length === MANY) allDone.resolve();
    });
    await allDone.promise;
    expect(most).toBeLessThanOrEqual(200);
    expect(new Set(await committed()).size).toBe(MANY);
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
