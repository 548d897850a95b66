// How many at once may ask one server. Who finds the gate full waits for a while, in the order of coming.
import type { Clock } from './clock.ts';

const WAIT_MS = 10_000;

export interface Gate {
  /** Carries out the work once there is room. @throws what the gate refuses with, after 10 seconds without any */
  pass: <T>(work: () => Promise<T>) => Promise<T>;
}

/** @param refusal what is thrown at who finds no room */
export function createGate(most: number, clock: Clock, refusal: () => Error): Gate {
  let inside = 0;
  const waiting = new Set<() => void>();

  function enter(): Promise<void> {
    if (inside < most) {
      inside += 1;
      return Promise.resolve();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const callOff = clock.wakeAt(clock.now() + WAIT_MS, () => {
      waiting.delete(letIn);
      reject(refusal());
    });
    // Who is let in takes the place of who leaves: `inside` stays.
    const letIn = (): void => {
      callOff();
      resolve();
    };
    waiting.add(letIn);
    return promise;
  }

  function leave(): void {
    const [next] = waiting;
    if (next === undefined) {
      inside -= 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  return {
    async pass(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

export interface Serially {
  /** Runs work with the same key one after the other, and work with different keys concurrently. */
  <T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Whether no work with the key is running or waiting: work that is given now starts at once. */
  isFree: (key: string) => boolean;
  /** Whether work with the key is waiting. */
  isAwaited: (key: string) => boolean;
}

export function createSerial(): Serially {
  const given = new Map<string, { last: Promise<unknown>; count: number }>();
  const serially = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = given.get(key);
    const mine = before === undefined ? work() : before.last.then(work, work);
    const entry = before ?? { last: mine, count: 0 };
    entry.last = mine;
    entry.count += 1;
    given.set(key, entry);
    try {
      return await mine;
    } finally {
      entry.count -= 1;
      if (entry.count === 0) given.delete(key);
    }
  };
  return Object.assign(serially, {
    isFree: (key: string) => !given.has(key),
    isAwaited: (key: string) => (given.get(key)?.count ?? 0) > 1,
  });
}
