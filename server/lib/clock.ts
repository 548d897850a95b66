// The two clocks of a process. No module reads a clock by itself.
//
// 1. The wall clock (`now`, `wakeAt`) is for times that mean something outside of the process: due times, expiries,
//    schedules. It moves on while the machine sleeps, and anyone may set it.
// 2. The elapsed time (`elapsed`, `wakeAfter`) is for how long something in progress takes: time-outs, retries in memory,
//    durations. Nobody can set it, and it may stand still while the machine sleeps.
// 3. `ageIn` is for what is kept for a while: whichever of the two clocks says that more time has passed.
export interface Clock {
  /** The time of the wall clock, in whole milliseconds since 1970 UTC. */
  now(): number;
  /** Calls `wake` once the wall clock has reached `at`, never before. Returns a function that cancels it. */
  wakeAt(at: number, wake: () => void): () => void;
  /** The elapsed time since some moment before the clock was first read, in milliseconds and parts of one. It never goes back. */
  elapsed(): number;
  /** Calls `wake` once so many milliseconds have elapsed, never before. Returns a function that cancels it. */
  wakeAfter(milliseconds: number, wake: () => void): () => void;
}

/** What the clocks of a process are made of. */
export interface ClockSource extends Pick<Clock, 'now' | 'elapsed'> {
  /** As `setTimeout`, which counts elapsed time. */
  after(milliseconds: number, run: () => void): () => void;
  /** As `setInterval`; it keeps no process alive. */
  every(milliseconds: number, run: () => void): () => void;
}

/** A clock that can be made to compare itself with the wall clock at once. */
export interface WatchingClock extends Clock {
  /** Calls what has become due. Useful when the machine has just woken up: otherwise it happens within two seconds. */
  look(): void;
}

/** Milliseconds between two looks at the wall clock while anything waits for a time. */
const LOOKED_EVERY = 2000;
/** Milliseconds of difference that measuring a clock elsewhere may cause. */
const MEASURED_WITHIN = 100;
/** The longest delay of `setTimeout`; longer waits use several. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** Timers count elapsed time, so each that waits for a time is set anew whenever the wall clock is looked at. */
export function createWatchingClock(source: ClockSource): WatchingClock {
  const waiting = new Set<() => void>();
  let stopLooking = (): void => {};

  function look(): void {
    for (const setAnew of waiting) setAnew();
  }

  /** Calls `wake` once `left` answers 0 or less. */
  function waitFor(remaining: () => number, wake: () => void): { setAnew: () => void; cancel: () => void } {
    let cancel = (): void => {};
    const wait = (): void => {
      const delay = remaining();
      cancel = delay <= 0 ? source.after(0, wake) : source.after(Math.min(delay, LONGEST_TIMEOUT), wait);
    };
    wait();
    return {
      setAnew() {
        cancel();
        wait();
      },
      cancel: () => cancel(),
    };
  }

  return {
    now: () => source.now(),
    elapsed: () => source.elapsed(),
    look,
    wakeAt(at, wake) {
      const { setAnew, cancel } = waitFor(
        () => at - source.now(),
        () => {
          leave();
          wake();
        },
      );
      function leave(): void {
        if (waiting.delete(setAnew) && waiting.size === 0) stopLooking();
      }
      if (waiting.size === 0) stopLooking = source.every(LOOKED_EVERY, look);
      waiting.add(setAnew);
      return () => {
        leave();
        cancel();
      };
    },
    wakeAfter(milliseconds, wake) {
      const end = source.elapsed() + milliseconds;
      return waitFor(() => end - source.elapsed(), wake).cancel;
    },
  };
}

export const systemClock: WatchingClock = createWatchingClock({
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
  every(milliseconds, run) {
    const timer = setInterval(run, milliseconds).unref();
    return () => clearInterval(timer);
  },
});

/** Milliseconds since something began; whole ones from `stopwatch`. */
export type Age = () => number;

/** The age of what begins now: a suspend counts, and a clock that is set back makes nothing younger. */
export function ageIn(clock: Pick<Clock, 'now' | 'elapsed'>): Age {
  const [began, elapsed] = [clock.now(), clock.elapsed()];
  return () => Math.max(clock.now() - began, clock.elapsed() - elapsed);
}

/** How long what begins now is in progress: a suspend may not count, and a clock that is set does not matter. */
export function stopwatch(clock: Pick<Clock, 'elapsed'>): Age {
  const began = clock.elapsed();
  return () => Math.round(clock.elapsed() - began);
}

/** A clock that takes its wall time from elsewhere, once that was measured. */
export interface FollowingClock extends Clock {
  /** @param time what the wall clock shows elsewhere now, in milliseconds since 1970 UTC */
  follow(time: number): void;
}

/**
 * It shows the time of `base` until the first measurement, then the measured time and its age. While its machine sleeps, the
 * time moves on; a machine whose clock is set forward seems to have slept until the next measurement. So nothing is woken by
 * the wall clock of the machine, which may be wrong.
 */
export function createFollowingClock(base: Clock): FollowingClock {
  let measured: { time: number; age: Age } | undefined;
  const waiting = new Set<() => void>();
  const now = (): number => (measured === undefined ? base.now() : Math.floor(measured.time + measured.age()));
  return {
    now,
    elapsed: () => base.elapsed(),
    wakeAfter: (milliseconds, wake) => base.wakeAfter(milliseconds, wake),
    wakeAt(at, wake) {
      let cancel = (): void => {};
      const setAnew = (): void => {
        cancel();
        cancel = measured === undefined ? base.wakeAt(at, ring) : base.wakeAfter(Math.max(0, at - now()), ring);
      };
      function ring(): void {
        waiting.delete(setAnew);
        wake();
      }
      waiting.add(setAnew);
      setAnew();
      return () => {
        waiting.delete(setAnew);
        cancel();
      };
    },
    follow(time) {
      if (measured === undefined || Math.abs(time - now()) > MEASURED_WITHIN) measured = { time, age: ageIn(base) };
      // After a suspend, the time is right and the timers are late.
      for (const setAnew of waiting) setAnew();
    },
  };
}

/** A clock that moves only when advanced; for tests. */
export interface FakeClock extends Clock {
  /** Lets time pass and calls everything that became due, in order. */
  advance(milliseconds: number): void;
  /** Moves the wall clock alone, as a suspend does or a person who sets it, and calls what became due. */
  jump(milliseconds: number): void;
}

export function createFakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  interface Waiting {
    /** How much elapsed time is left. */
    remaining: () => number;
    wake: () => void;
  }
  let now = start;
  let elapsed = 0;
  let waiting: Waiting[] = [];
  const add = (remaining: () => number, wake: () => void): (() => void) => {
    const entry = { remaining, wake };
    waiting.push(entry);
    return () => {
      waiting = waiting.filter((other) => other !== entry);
    };
  };
  function pass(milliseconds: number): void {
    now += milliseconds;
    elapsed += milliseconds;
  }
  function advance(milliseconds: number): void {
    const until = elapsed + milliseconds;
    for (;;) {
      const due = waiting
        .filter((entry) => entry.remaining() <= until - elapsed)
        .toSorted((a, b) => a.remaining() - b.remaining())[0];
      if (due === undefined) break;
      waiting = waiting.filter((entry) => entry !== due);
      pass(Math.max(0, due.remaining()));
      due.wake();
    }
    pass(until - elapsed);
  }
  return {
    now: () => now,
    elapsed: () => elapsed,
    wakeAt: (at, wake) => add(() => at - now, wake),
    wakeAfter(milliseconds, wake) {
      const end = elapsed + milliseconds;
      return add(() => end - elapsed, wake);
    },
    advance,
    jump(milliseconds) {
      now += milliseconds;
      advance(0);
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
