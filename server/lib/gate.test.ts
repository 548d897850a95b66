import { setImmediate as settle } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFakeClock } from './clock.ts';
import { createGate, type Turn } from './gate.ts';
import { asOwnWork, type OwnWork } from './own-work.ts';

const DESK = { org: 'local', playbook: 'desk' };
const SHOP = { org: 'local', playbook: 'shop' };

/** A gate, and work that stays behind it until it is released. */
function given(most: number) {
  const clock = createFakeClock();
  const gate = createGate(most, clock, () => new Error('full'));
  const inside: { name: string; leave: () => void }[] = [];
  const order: string[] = [];
  const pass = (name: string, turn: Turn = {}): Promise<void> =>
    gate.pass(() => {
      order.push(name);
      return new Promise((leave) => inside.push({ name, leave }));
    }, turn);
  const passOwn = (name: string, turn: Turn = {}, own: OwnWork = {}): Promise<void> =>
    asOwnWork(own, () => pass(name, turn));
  async function leave(): Promise<void> {
    clock.advance(1000);
    inside.shift()?.leave();
    await settle();
  }
  return { clock, order, pass, passOwn, leave };
}

test('requests that wait have their turn in order', async () => {
  const { order, pass, leave } = given(1);
  for (const name of ['a', 'b', 'c']) void pass(name);
  await settle();
  expect(order).toEqual(['a']);
  await leave();
  await leave();
  expect(order).toEqual(['a', 'b', 'c']);
});

test('a request is refused after ten seconds, and takes no room', async () => {
  const { clock, order, pass, leave } = given(1);
  void pass('first');
  await settle();
  const refused = pass('refused');
  clock.advance(10_000);
  await expect(refused).rejects.toThrow('full');
  await leave();
  void pass('next');
  await settle();
  expect(order).toEqual(['first', 'next']);
});

test('work that fails makes room', async () => {
  const gate = createGate(1, createFakeClock(), () => new Error('full'));
  await expect(gate.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await gate.pass(async () => 'free')).toBe('free');
});

test("the runtime's own work waits for its turn without a limit", async () => {
  const { clock, order, passOwn, leave } = given(2);
  for (let n = 0; n < 48; n += 1) void passOwn(`step ${n}`);
  await settle();
  for (let n = 0; n < 46; n += 1) {
    clock.advance(60_000);
    await leave();
  }
  expect(order).toHaveLength(48);
});

test('playbooks take turns, and a request does not wait behind all own work of its playbook', async () => {
  const { order, pass, passOwn, leave } = given(1);
  for (let n = 0; n < 20; n += 1) void passOwn(`desk ${n}`, { playbookKey: DESK });
  void passOwn('shop', { playbookKey: SHOP });
  void pass('request', { playbookKey: DESK });
  await settle();
  for (let n = 0; n < 4; n += 1) await leave();
  expect(order.slice(0, 5)).toEqual(expect.arrayContaining(['shop', 'request']));
});

test('a wait ends with its signal, and makes no room', async () => {
  const { order, pass, passOwn, leave } = given(1);
  const caller = new AbortController();
  void pass('first');
  await settle();
  const waiting = [pass('request', { signal: caller.signal }), passOwn('step', { signal: caller.signal })];
  caller.abort(new Error('gone'));
  expect(await Promise.allSettled(waiting)).toMatchObject([
    { reason: { message: 'gone' } },
    { reason: { message: 'gone' } },
  ]);
  await expect(pass('late', { signal: caller.signal })).rejects.toThrow('gone');
  void pass('next');
  await leave();
  expect(order).toEqual(['first', 'next']);
});

test('own work that is not wanted any more has no turn', async () => {
  const { order, pass, passOwn, leave } = given(1);
  const called = new AbortController();
  void pass('first');
  await settle();
  const waiting = passOwn('step', {}, { unwanted: called.signal });
  called.abort(new Error('cancelled'));
  await expect(waiting).rejects.toThrow('cancelled');
  await expect(passOwn('late', {}, { unwanted: called.signal })).rejects.toThrow('cancelled');
  await leave();
  expect(order).toEqual(['first']);
});

test('once the service stops, own work that waits has no turn, and its wait ends with its signal', async () => {
  const { order, pass, passOwn, leave } = given(1);
  const [stopping, graceOver] = [new AbortController(), new AbortController()];
  void pass('first');
  await settle();
  const own = { stopping: stopping.signal };
  const before = passOwn('before', { signal: graceOver.signal }, own);
  stopping.abort();
  const after = passOwn('after', { signal: graceOver.signal }, own);
  const ends = Promise.allSettled([before, after]);
  await leave();
  expect(order).toEqual(['first']);
  graceOver.abort(new Error('over'));
  expect(await ends).toMatchObject([{ reason: { message: 'over' } }, { reason: { message: 'over' } }]);
});

test('own work says when it waits, and when that is over', async () => {
  const { passOwn, leave } = given(1);
  const seen: string[] = [];
  const onWait = (): (() => void) => {
    seen.push('waits');
    return () => seen.push('over');
  };
  void passOwn('at once', {}, { onWait });
  void passOwn('waits', {}, { onWait });
  await settle();
  expect(seen).toEqual(['waits']);
  await leave();
  expect(seen).toEqual(['waits', 'over']);
});

test.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('a request is refused after ten seconds, also if the clock is set %s', async (_to, jump) => {
  const { clock, pass } = given(1);
  void pass('first');
  await settle();
  const waiting = pass('request');
  clock.jump(jump);
  clock.advance(9_999);
  expect(await Promise.race([waiting.catch(() => 'refused'), settle().then(() => 'waits')])).toBe('waits');
  clock.advance(1);
  await expect(waiting).rejects.toThrow('full');
});
