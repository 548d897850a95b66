// A machine whose two clocks move independently, below a clock that watches it.
import { type ClockSource, createWatchingClock, type WatchingClock } from './clock.ts';

export interface FakeMachine {
  clock: WatchingClock;
  /** Lets time pass on both clocks. */
  run(milliseconds: number): void;
  /** Moves the wall clock alone: forward as a suspend does, or either way as a person who sets it. */
  setBy(milliseconds: number): void;
  /** How many timers are set that keep the process alive. */
  timers(): number;
  /** How often the wall clock has been looked at while nothing happened. */
  looks(): number;
}

interface Timer {
  at: number;
  run: () => void;
  every?: number;
}

export function createFakeMachine(start = Date.UTC(2026, 0, 1)): FakeMachine {
  let [wall, elapsed, looks] = [start, 0, 0];
  const timers = new Set<Timer>();
  const add = (timer: Timer): (() => void) => {
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const source: ClockSource = {
    now: () => wall,
    elapsed: () => elapsed,
    after: (milliseconds, run) => add({ at: elapsed + milliseconds, run }),
    every: (milliseconds, run) => add({ at: elapsed + milliseconds, run, every: milliseconds }),
  };
  function ring(timer: Timer): void {
    timers.delete(timer);
    if (timer.every !== undefined) {
      looks += 1;
      timer.at += timer.every;
      timers.add(timer);
    }
    timer.run();
  }
  return {
    clock: createWatchingClock(source),
    run(milliseconds) {
      const end = elapsed + milliseconds;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        wall += Math.max(0, next.at - elapsed);
        elapsed = Math.max(elapsed, next.at);
        ring(next);
      }
      wall += end - elapsed;
      elapsed = end;
    },
    setBy(milliseconds) {
      wall += milliseconds;
    },
    timers: () => [...timers].filter(({ every }) => every === undefined).length,
    looks: () => looks,
  };
}
