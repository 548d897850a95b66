import { expect, test } from 'vitest';
import { createFakeClock } from './clock.ts';
import { createGate } from './gate.ts';

test('given a full gate, who comes waits for who leaves, in order', async () => {
  const gate = createGate(1, createFakeClock(), () => new Error('full'));
  const seen: number[] = [];
  const first = Promise.withResolvers<void>();
  const works = [first.promise, undefined, undefined].map((until, index) =>
    gate.pass(async () => {
      seen.push(index);
      await until;
    }),
  );
  await Promise.resolve();
  expect(seen).toEqual([0]);
  first.resolve();
  await Promise.all(works);
  expect(seen).toEqual([0, 1, 2]);
});

test('given nobody leaves, who waits is refused after ten seconds and takes no place', async () => {
  const clock = createFakeClock();
  const gate = createGate(1, clock, () => new Error('full'));
  const first = Promise.withResolvers<void>();
  const inside = gate.pass(() => first.promise);
  const refused = gate.pass(async () => 'never');
  clock.advance(10_000);
  await expect(refused).rejects.toThrow('full');
  first.resolve();
  await inside;
  expect(await gate.pass(async () => 'free')).toBe('free');
});

test('a work that fails leaves its place', async () => {
  const gate = createGate(1, createFakeClock(), () => new Error('full'));
  await expect(gate.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await gate.pass(async () => 'free')).toBe('free');
});
