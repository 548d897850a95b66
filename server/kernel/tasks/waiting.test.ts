// Tasks that wait for a turn elsewhere, such as behind the gate of a model provider.
import { expect, test } from 'vitest';
import { createGate } from '../../lib/gate.ts';
import type { PlaybookKey } from '../log/index.ts';
import { settle } from '../log/testing.ts';
import { LeaseLost, type TaskHandler, type TaskLease } from './index.ts';
import {
  add,
  clock,
  committed,
  createHeldHandler,
  done,
  PLACE,
  record,
  renewForEachTest,
  start,
  store,
  tasks,
} from './runner.testing.ts';

renewForEachTest();

const OTHER: PlaybookKey = { org: 'acme', playbook: 'sales' };

/** A handler whose tasks pass a gate for one at a time, but for those whose key begins with `free`. */
function givenGate() {
  const gate = createGate(1, clock, () => new Error('busy'));
  const inside: { key: string; leave: () => void }[] = [];
  const begun: string[] = [];
  let isOpen = false;
  const handler: TaskHandler = async (task, lease) => {
    begun.push(task.key);
    if (task.key.startsWith('free')) return record(task, lease);
    const work = (): Promise<void> =>
      new Promise((leave) => (isOpen ? leave() : inside.push({ key: task.key, leave })));
    await gate.pass(work, { playbookKey: task });
    await record(task, lease);
  };
  async function leave(): Promise<void> {
    inside.shift()?.leave();
    await settle(2);
  }
  /** Lets all of them pass, and those that follow. */
  async function open(count: number): Promise<void> {
    isOpen = true;
    for (const one of inside.splice(0)) one.leave();
    while (done.length < count) await settle(1);
  }
  return { handler, inside, begun, leave, open };
}

const addMany = (playbookKey: PlaybookKey, prefix: string, count: number): Promise<void> =>
  store.write(playbookKey, async (tx) => {
    for (let n = 0; n < count; n += 1) {
      await tasks.add(tx, playbookKey, { kind: 'note', key: `${prefix} ${n}`, dueAt: clock.now(), payload: null });
    }
  });

test('take no room in the queue: what needs no turn runs meanwhile', async () => {
  const { handler, open } = givenGate();
  start(handler, { most: 8 });
  await addMany(PLACE, 'slow', 20);
  await settle();
  await add('free', { place: OTHER });
  await settle();
  expect(done).toEqual(['free']);
  await open(21);
  expect(await committed()).toHaveLength(21);
});

test('are bounded for a playbook, and others still begin', async () => {
  const { handler, begun, open } = givenGate();
  start(handler, { most: 64 });
  await addMany(PLACE, 'slow', 100);
  await settle();
  expect(begun).toHaveLength(80);
  for (let n = 0; n < 12; n += 1) {
    await addMany({ org: 'acme', playbook: `other-${n}` }, `other ${n}`, 20);
    await settle();
    expect(begun).toContain(`other ${n} 0`);
  }
  expect(begun.length).toBeLessThan(200);
  await add('free', { place: OTHER });
  await settle();
  expect(done).toEqual(['free']);
  await open(341);
  expect(await committed()).toHaveLength(341);
});

test('take no place later, if they end before the work that they abandoned', async () => {
  const { handler, inside, leave } = givenGate();
  const { held, handler: hold } = createHeldHandler();
  start(
    async (task, lease) => {
      if (task.key.startsWith('held')) return hold(task, lease);
      const work = handler(task, lease).catch(() => undefined);
      return task.key === 'abandons' ? record(task, lease) : work;
    },
    { most: 2 },
  );
  for (const key of ['first', 'abandons']) await add(key);
  await settle();
  await leave();
  expect([done, inside.map(({ key }) => key)]).toEqual([['abandons', 'first'], ['abandons']]);
  for (const key of ['held 1', 'held 2']) await add(key);
  await settle();
  expect(held.map(({ task }) => task.key)).toEqual(['held 1', 'held 2']);
});

test('end when they are removed, and record nothing', async () => {
  const { handler, inside, leave } = givenGate();
  const leases: TaskLease[] = [];
  start((task, lease) => {
    leases.push(lease);
    return handler(task, lease);
  });
  for (const key of ['first', 'second', 'third']) await add(key);
  await settle();
  await store.write(PLACE, (tx) => tasks.remove(tx, PLACE, 'note', 'second'));
  expect(leases.map(({ unwanted }) => unwanted.reason instanceof LeaseLost)).toEqual([false, true, false]);
  while (inside.length > 0) await leave();
  expect(await committed()).toEqual(['first', 'third']);
});

test('are given back at a stop, with no try counted, and have no turn in between', async () => {
  const { handler, begun, inside, leave } = givenGate();
  const graceOver = new AbortController();
  const runner = start(handler, { graceOver: graceOver.signal });
  for (const key of ['first', 'second', 'third']) await add(key);
  await settle();
  const stopped = runner.stop();
  await leave();
  expect(inside).toEqual([]);
  graceOver.abort();
  await stopped;
  expect(done).toEqual(['first']);
  const rows = await store.read((tx) => tx.all('SELECT key, tries, deaths, claimed_by FROM tasks ORDER BY key'));
  expect(rows).toMatchObject(['second', 'third'].map((key) => ({ key, tries: 0, deaths: 0, claimed_by: null })));
  const next = givenGate();
  start(next.handler, { holder: 'start-2' });
  await settle();
  while (next.inside.length > 0) await next.leave();
  expect(await committed()).toEqual(['first', 'second', 'third']);
  expect(begun).toEqual(['first', 'second', 'third']);
});
