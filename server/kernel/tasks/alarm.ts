import type { Clock } from '../../lib/clock.ts';

/** One waking at the earliest of the times it was set for. */
export interface Alarm {
  setFor(time: number): void;
  callOff(): void;
}

export function createAlarm(clock: Pick<Clock, 'now' | 'wakeAt'>, ring: () => void): Alarm {
  let set: { time: number; callOff: () => void } | undefined;
  const alarm: Alarm = {
    setFor(time) {
      // A time that has passed may not have rung yet, where the clock was set or the machine slept: it rings at once.
      if (set !== undefined && set.time <= time && set.time > clock.now()) return;
      const earliest = Math.min(time, set?.time ?? time);
      alarm.callOff();
      const callOff = clock.wakeAt(earliest, () => {
        set = undefined;
        ring();
      });
      set = { time: earliest, callOff };
    },
    callOff() {
      set?.callOff();
      set = undefined;
    },
  };
  return alarm;
}

/** One waking after the shortest of the delays it was started with, by the elapsed time. */
export interface Timer {
  start(milliseconds: number): void;
  callOff(): void;
}

export function createTimer(clock: Pick<Clock, 'elapsed' | 'wakeAfter'>, ring: () => void): Timer {
  const alarm = createAlarm(
    { now: () => clock.elapsed(), wakeAt: (at, wake) => clock.wakeAfter(at - clock.elapsed(), wake) },
    ring,
  );
  return { start: (milliseconds) => alarm.setFor(clock.elapsed() + milliseconds), callOff: () => alarm.callOff() };
}

/** Waits so many milliseconds; the signal ends the waiting early. */
export function wait(clock: Pick<Clock, 'wakeAfter'>, milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const callOff = clock.wakeAfter(milliseconds, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    function onAbort(): void {
      callOff();
      resolve();
    }
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
