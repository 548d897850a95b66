import { expect, test } from 'vitest';
import { FairQueue, type Owner, type Queued } from './fair-queue.ts';

interface TestJob extends Queued {
  name: string;
}

const always = (): boolean => true;
const A: Owner = ['desk', 'a'];
const A2: Owner = ['desk', 'a2'];
const B: Owner = ['shop', 'b'];

function given() {
  let now = 0;
  let arrivals = 0;
  const queue = new FairQueue<TestJob>(() => now);
  const add = (name: string, owner: Owner | undefined): TestJob => {
    arrivals += 1;
    const job = { name, owner, arrival: arrivals, expectedMs: undefined };
    queue.add(job);
    return job;
  };
  const take = (mayTake: (ms: number | undefined) => boolean = always): TestJob | undefined => queue.next(mayTake);
  return {
    queue,
    add,
    take,
    pass: (ms: number) => void (now += ms),
    /** The names of everything that waits, each taken and ended after some time. */
    order: (tookMs: (job: TestJob) => number = () => 1): string => {
      const names: string[] = [];
      for (let job = take(); job !== undefined; job = take()) {
        names.push(job.name);
        queue.ended(job, tookMs(job));
      }
      return names.join(' ');
    },
    used: (owner: Owner, ms: number): void => {
      const job = add('used', owner);
      take(always);
      queue.ended(job, ms);
    },
  };
}

test('jobs of one owner, and jobs without one, keep the order in which they arrived', () => {
  const { add, order } = given();
  for (const name of ['1', '2', '3']) add(name, A);
  expect(order()).toBe('1 2 3');
  for (const name of ['4', '5', '6']) add(name, undefined);
  expect(order()).toBe('4 5 6');
});

test('1. the group that used less lately comes first, and within it the member that used less', () => {
  const { add, order, used } = given();
  used(A, 5000);
  used(B, 20);
  used(A2, 10);
  add('a', A);
  add('a2', A2);
  add('b', B);
  expect(order()).toBe('b a2 a');
});

test('1. what was used counts less with time', () => {
  const { add, order, used, pass } = given();
  for (let n = 0; n < 50; n += 1) used(A, 100);
  pass(120_000);
  for (let n = 0; n < 20; n += 1) used(B, 100);
  add('b', B);
  add('a', A);
  expect(order()).toBe('a b');
});

test('3. first jobs of several owners alternate before any has ended', () => {
  const { add, take } = given();
  for (const name of ['a1', 'a2', 'a3']) add(name, A);
  for (const name of ['b1', 'b2']) add(name, B);
  const names = [1, 2, 3, 4, 5].map(() => take(always)?.name);
  expect(names).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
});

test('3. what is put back is charged to no one, and keeps its place', () => {
  const { queue, add, take, order } = given();
  for (const name of ['a1', 'a2', 'a3']) add(name, A);
  add('b1', B);
  const taken = [take(always), take(always), take(always)].filter((job) => job !== undefined);
  expect(taken.map(({ name }) => name)).toEqual(['a1', 'b1', 'a2']);
  queue.putBack(taken);
  expect(queue.size).toBe(4);
  expect(order(() => 0)).toBe('a1 a2 a3 b1');
});

test("2. a job is expected to take what its owner's jobs took lately", () => {
  const { add, take, used, queue } = given();
  const asked: (number | undefined)[] = [];
  const ask = (ms: number | undefined): boolean => {
    asked.push(ms);
    return false;
  };
  const job = add('a', A);
  take(ask);
  queue.remove(job);
  used(A, 10);
  used(A, 110);
  add('a', A);
  take(ask);
  expect(asked).toEqual([undefined, 40]);
});

test('2. what is known to be short comes before what is unknown', () => {
  const { add, order, used } = given();
  used(A, 5);
  used(A, 5);
  add('a2', A2);
  add('a', A);
  expect(order()).toBe('a a2');
});

test('a job that is not wanted does not keep others from their turn', () => {
  const { add, take, used } = given();
  used(A, 1000);
  used(B, 4000);
  used(B, 1);
  add('a', A);
  add('b', B);
  expect(take((ms) => (ms ?? 0) > 2000)?.name).toBe('b');
});

test('many owners are forgotten once they have no job that waits', () => {
  const { queue, add, order } = given();
  add('kept', A);
  for (let n = 0; n < 5000; n += 1) queue.remove(add('gone', [`group ${n}`, '']));
  expect(order()).toBe('kept');
});
