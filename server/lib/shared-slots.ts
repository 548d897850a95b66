// Slots that callers share, such as those of uploads.
//
// 1. A free slot goes to the caller that holds the fewest, and among its requests to the one that waits longest. No
//    caller holds more than its share, however many are free.
// 2. A request that waits for ten seconds is refused.
// 3. When all slots are taken, a caller without one gets that of a caller with more than an equal part: the signal of its
//    newest work is aborted. Only where `mayEnd` is set, since the work has to watch the signal.
import type { Clock } from './clock.ts';
import { REQUEST_WAIT_MS } from './own-work.ts';

export interface SharedSlots {
  /**
   * Runs the work once the caller has a slot.
   * @throws the refusal after ten seconds without one
   */
  hold: <T>(caller: string, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
}

export interface SlotsOptions {
  most: number;
  mostOfOne: number;
  mayEnd?: boolean;
  clock: Clock;
  /** The error of a request that waited too long. */
  refusal: () => Error;
}

interface Held {
  caller: string;
  end: AbortController;
}

interface Waiting {
  caller: string;
  enter: () => void;
}

export function createSharedSlots({ most, mostOfOne, mayEnd = false, clock, refusal }: SlotsOptions): SharedSlots {
  const held = new Set<Held>();
  const waiting = new Set<Waiting>();

  const heldBy = (caller: string): Held[] => [...held].filter((one) => one.caller === caller);

  function letIn(): void {
    while (held.size < most) {
      const [first] = [...waiting]
        .map((one) => ({ one, count: heldBy(one.caller).length }))
        .filter(({ count }) => count < mostOfOne)
        .toSorted((a, b) => a.count - b.count);
      if (first === undefined) return;
      waiting.delete(first.one);
      first.one.enter();
    }
  }

  /** Ends the newest work of the caller that holds most, for a caller that holds nothing. */
  function makeRoomFor(caller: string): void {
    if (!mayEnd || held.size < most || heldBy(caller).length > 0) return;
    const callers = [...new Set([...held].map((one) => one.caller))];
    const [largest = []] = callers.map(heldBy).toSorted((a, b) => b.length - a.length);
    if (largest.length > Math.max(1, Math.floor(most / (callers.length + 1)))) largest.at(-1)?.end.abort();
  }

  async function enter(caller: string): Promise<Held> {
    const { promise, resolve, reject } = Promise.withResolvers<Held>();
    const one: Waiting = {
      caller,
      enter() {
        const slot = { caller, end: new AbortController() };
        held.add(slot);
        resolve(slot);
      },
    };
    waiting.add(one);
    letIn();
    if (!waiting.has(one)) return promise;
    makeRoomFor(caller);
    const callOff = clock.wakeAfter(REQUEST_WAIT_MS, () => {
      waiting.delete(one);
      reject(refusal());
    });
    return promise.finally(callOff);
  }

  return {
    async hold(caller, work) {
      const slot = await enter(caller);
      try {
        return await work(slot.end.signal);
      } finally {
        held.delete(slot);
        letIn();
      }
    },
  };
}
