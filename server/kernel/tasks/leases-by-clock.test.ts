// Leases by the clock of the process: on a store that no other process writes to. Those by the database's clock:
// shared-leases.test.ts.
import { describe, expect, test } from 'vitest';
import { settle } from '../log/testing.ts';
import type { TaskHandler } from './index.ts';
import {
  clock,
  done,
  failures,
  note,
  record,
  start,
  add,
  committed,
  createHeldHandler,
  createCutStore,
  renewForEachTest,
} from './runner.testing.ts';

renewForEachTest();

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

  test.each([
    ['the machine slept', 30 * 3_600_000],
    ['the clock was set back', -3_600_000],
  ])('is kept by the process that holds it when %s: the task runs once', async (_how, jump) => {
    const { held, handler } = createHeldHandler();
    start(handler, { alone: true });
    await add('in progress');
    await settle();
    clock.jump(jump);
    await settle();
    clock.advance(60_000);
    await settle();
    expect(held).toHaveLength(1);
    held[0]?.goOn();
    await settle();
    expect(await committed()).toEqual(['in progress']);
    expect(failures).toEqual([]);
  });

  test('is renewed after the clock was set back, so that another process does not take it over', async () => {
    const { held, handler } = createHeldHandler();
    start(handler);
    await add('long');
    await settle();
    clock.jump(-3_600_000);
    start(note, { holder: 'start-2' });
    for (let time = 0; time < 3_600_000 + 120_000; time += 20_000) {
      clock.advance(20_000);
      // oxlint-disable-next-line no-await-in-loop -- one renewal after the other
      await settle();
    }
    held[0]?.goOn();
    await settle();
    expect(await committed()).toEqual(['long']);
    expect(failures).toEqual([]);
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
