/** The time, in milliseconds since 1970 UTC, and waking at a time. No module reads the clock by itself. */
export interface Clock {
  now(): number;
  /** Calls `wake` once, at `at` or soon after it, never before. Returns a function that cancels it. */
  wakeAt(at: number, wake: () => void): () => void;
}

/** The longest delay of `setTimeout`; longer waits use several. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(at, wake) {
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const left = at - Date.now();
      timer = left <= 0 ? setTimeout(wake, 0) : setTimeout(wait, Math.min(left, LONGEST_TIMEOUT));
    };
    wait();
    return () => clearTimeout(timer);
  },
};

/** A clock that is so much ahead of another one, by the last `adjust`. What waits for a time is woken by the adjusted time. */
export function createAdjustableClock(base: Clock): Clock & { adjust(ahead: number): void } {
  let ahead = 0;
  const pending = new Set<{ schedule: () => void }>();
  return {
    now: () => base.now() + ahead,
    wakeAt(at, wake) {
      let cancel = (): void => {};
      const entry = {
        schedule() {
          cancel();
          cancel = base.wakeAt(at - ahead, () => {
            pending.delete(entry);
            wake();
          });
        },
      };
      pending.add(entry);
      entry.schedule();
      return () => {
        pending.delete(entry);
        cancel();
      };
    },
    adjust(measured) {
      if (Math.round(measured) === ahead) return;
      ahead = Math.round(measured);
      for (const { schedule } of pending) schedule();
    },
  };
}

/** A clock that moves only by \`advance\`; for tests. */
export interface FakeClock extends Clock {
  /** Advances the time and calls everything that became due, in order. */
  advance(milliseconds: number): void;
}

export function createFakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start;
  let waiting: { at: number; wake: () => void }[] = [];
  return {
    now: () => now,
    wakeAt(at, wake) {
      const entry = { at, wake };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((other) => other !== entry);
      };
    },
    advance(milliseconds) {
      const until = now + milliseconds;
      for (;;) {
        const due = waiting.filter((entry) => entry.at <= until).toSorted((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        waiting = waiting.filter((entry) => entry !== due);
        now = Math.max(now, due.at);
        due.wake();
      }
      now = until;
    },
  };
}

/** The time that was written last: much happens within a millisecond. */
let written = { at: Number.NaN, text: '' };

/** ISO 8601 UTC with milliseconds and `Z`. */
export function isoTime(milliseconds: number): string {
  if (milliseconds !== written.at) written = { at: milliseconds, text: new Date(milliseconds).toISOString() };
  return written.text;
}
