// Work with a deadline. Deadlines use the clock that is passed in, so that tests need not wait.
import type { Clock } from './clock.ts';

export interface Deadline {
  /** Aborted when the time is over, or when the caller's signal is. */
  signal: AbortSignal;
  /** Whether the deadline passed. */
  isOver: () => boolean;
  callOff: () => void;
}

/** @param milliseconds undefined: only the caller's signal ends it */
export function startDeadline(clock: Clock, milliseconds: number | undefined, caller?: AbortSignal): Deadline {
  const deadline = createDeadline(clock, milliseconds, caller);
  deadline.begin();
  return deadline;
}

/** A deadline whose time has not begun, for work that first waits for its turn. */
export function createDeadline(
  clock: Clock,
  milliseconds: number | undefined,
  caller?: AbortSignal,
): Deadline & { begin: () => void } {
  const controller = new AbortController();
  let isOver = false;
  const abort = (): void => controller.abort();
  const onTime = (): void => {
    isOver = true;
    abort();
  };
  let callOffTimer: (() => void) | undefined;
  if (caller?.aborted === true) abort();
  caller?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    isOver: () => isOver,
    begin() {
      if (milliseconds !== undefined) callOffTimer ??= clock.wakeAfter(milliseconds, onTime);
    },
    callOff() {
      callOffTimer?.();
      caller?.removeEventListener('abort', abort);
    },
  };
}

/** The result of the work, or `undefined` once the signal is aborted; the result of work that continues is dropped. */
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
