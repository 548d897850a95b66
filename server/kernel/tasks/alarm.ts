import type { Clock } from '../../lib/clock.ts';

/** One waking at the earliest of the times it was set for. */
export interface Alarm {
  setFor(time: number): void;
  callOff(): void;
}

export function createAlarm(clock: Clock, ring: () => void): Alarm {
  let set: { time: number; callOff: () => void } | undefined;
  const alarm: Alarm = {
    setFor(time) {
      if (set !== undefined && set.time <= time) return;
      alarm.callOff();
      const callOff = clock.wakeAt(time, () => {
        set = undefined;
        ring();
      });
      set = { time, callOff };
    },
    callOff() {
      set?.callOff();
      set = undefined;
    },
  };
  return alarm;
}

/** Waits on the clock; the signal ends the waiting early. */
export function waitUntil(clock: Clock, time: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const callOff = clock.wakeAt(time, () => {
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
