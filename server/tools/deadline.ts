// Works that end by a time. Deadlines are of the clock that was given, so that tests need not wait.
import type { Clock } from '../kernel/clock.ts';

/** How long a server may take, in milliseconds. */
export const LIMITS_MS = { connect: 10_000, start: 30_000, list: 10_000, call: 30_000 } as const;

export interface Deadline {
  /** Aborted when the time is over, or when the caller's signal is. */
  signal: AbortSignal;
  /** Whether it was the time. */
  isOver(): boolean;
  callOff(): void;
}

export function startDeadline(clock: Clock, milliseconds: number, caller?: AbortSignal): Deadline {
  const controller = new AbortController();
  let isOver = false;
  const abort = (): void => controller.abort();
  const callOffTimer = clock.wakeAt(clock.now() + milliseconds, () => {
    isOver = true;
    abort();
  });
  if (caller?.aborted === true) abort();
  caller?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    isOver: () => isOver,
    callOff() {
      callOffTimer();
      caller?.removeEventListener('abort', abort);
    },
  };
}

/** The work's end, or `undefined` once the signal is aborted; a work that goes on then is nobody's any more. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = Promise.withResolvers<undefined>();
  const abort = (): void => aborted.resolve(undefined);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    work.catch(() => undefined);
  }
}
