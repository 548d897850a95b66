import { expect, test } from 'vitest';
import { createFakeClock } from './clock.ts';
import { yieldToEventLoop } from './event-loop.ts';
import { createSharedSlots, type SlotsOptions } from './shared-slots.ts';

function given(options: Pick<SlotsOptions, 'most' | 'mostOfOne' | 'mayEnd'>) {
  const clock = createFakeClock();
  const slots = createSharedSlots({ ...options, clock, refusal: () => new Error('busy') });
  const log: string[] = [];
  const leaving = new Map<string, () => void>();

  /** Holds a slot until it is released, or until its signal is aborted. */
  function hold(name: string, caller: string): Promise<void> {
    const held = slots.hold(caller, (signal) => {
      log.push(`${name} in`);
      return new Promise<void>((resolve) => {
        leaving.set(name, resolve);
        signal.addEventListener('abort', () => {
          log.push(`${name} ended`);
          resolve();
        });
      });
    });
    return held.catch((error: unknown) => void log.push(`${name} ${error instanceof Error ? error.message : ''}`));
  }
  async function leave(name: string): Promise<void> {
    leaving.get(name)?.();
    await yieldToEventLoop();
  }
  return { clock, hold, leave, log };
}

test('1. a caller holds no more than its share, and others get the rest', async () => {
  const { hold, leave, log } = given({ most: 4, mostOfOne: 2 });
  for (const name of ['a1', 'a2', 'a3']) void hold(name, 'a');
  void hold('b1', 'b');
  await yieldToEventLoop();
  expect(log).toEqual(['a1 in', 'a2 in', 'b1 in']);
  await leave('a1');
  expect(log.at(-1)).toBe('a3 in');
});

test('1. a free place goes to the caller that holds the fewest, and then to the request that waits longest', async () => {
  const { hold, leave, log } = given({ most: 3, mostOfOne: 3 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void hold(name, 'a');
  void hold('b1', 'b');
  await yieldToEventLoop();
  await leave('a1');
  await leave('a2');
  await leave('a3');
  expect(log.slice(3)).toEqual(['b1 in', 'a4 in', 'a5 in']);
});

test('2. a request that waits for ten seconds is refused, and takes no place later', async () => {
  const { clock, hold, leave, log } = given({ most: 1, mostOfOne: 1 });
  void hold('a1', 'a');
  const refused = hold('b1', 'b');
  clock.advance(9999);
  await yieldToEventLoop();
  expect(log).toEqual(['a1 in']);
  clock.advance(1);
  await refused;
  await leave('a1');
  expect(log).toEqual(['a1 in', 'b1 busy']);
});

test('3. when all places are taken, a caller without one gets that of one with more than its part', async () => {
  const { hold, log } = given({ most: 4, mostOfOne: 4, mayEnd: true });
  for (const name of ['a1', 'a2', 'a3', 'a4']) void hold(name, 'a');
  await yieldToEventLoop();
  void hold('b1', 'b');
  await yieldToEventLoop();
  expect(log.slice(4)).toEqual(['a4 ended', 'b1 in']);
  void hold('c1', 'c');
  await yieldToEventLoop();
  expect(log.slice(6)).toEqual(['a3 ended', 'c1 in']);
});

test('3. no one gets a place of callers that have no more than their part', async () => {
  const { hold, log } = given({ most: 2, mostOfOne: 2, mayEnd: true });
  void hold('a1', 'a');
  void hold('b1', 'b');
  void hold('c1', 'c');
  await yieldToEventLoop();
  expect(log).toEqual(['a1 in', 'b1 in']);
});
