import { type Clock, systemClock } from '../server/lib/clock.ts';

export interface MovedClock extends Clock {
  /** Sets the wall clock forward and wakes what became due. */
  skip(milliseconds: number): void;
}

/** A wall clock that is so many milliseconds behind and can be set forward. The elapsed time is that of the system. */
export function movedClock(milliseconds: number): MovedClock {
  let behind = milliseconds;
  const now = (): number => Date.now() - behind;
  const waiting = new Set<{ at: number; wake: () => void; callOff: () => void }>();
  const wait = (entry: { at: number; wake: () => void; callOff: () => void }): void => {
    entry.callOff = systemClock.wakeAt(entry.at + behind, () => {
      waiting.delete(entry);
      entry.wake();
    });
  };
  return {
    now,
    elapsed: () => systemClock.elapsed(),
    wakeAfter: (delay, wake) => systemClock.wakeAfter(delay, wake),
    wakeAt(at, wake) {
      const entry = { at, wake, callOff: () => {} };
      waiting.add(entry);
      wait(entry);
      return () => {
        waiting.delete(entry);
        entry.callOff();
      };
    },
    skip(forward) {
      behind -= forward;
      for (const entry of waiting) {
        entry.callOff();
        wait(entry);
      }
    },
  };
}
