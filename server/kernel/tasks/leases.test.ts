import { describe, expect, test } from 'vitest';
import { settle } from '../log/testing.ts';
import { unavailable } from '../../lib/rejection.ts';
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
  createHeldHandler,
  createCutStore,
  renewForEachTest,
} from './runner.testing.ts';

renewForEachTest();

describe('a lease', () => {
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
    expect(await store.write(PLACE, (tx) => tasks.take(tx, PLACE, 'note', 'called off'))).toBe(true);
    expect(await store.write(PLACE, (tx) => tasks.take(tx, PLACE, 'note', 'called off'))).toBe(false);
    held[0]?.goOn();
    await settle();
    expect(await committed()).toEqual([]);
    expect(failures).toEqual([]);
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
