// The service stops in two steps, so that a stop leaves nothing that a crash would not leave.
import type { Clock } from '../lib/clock.ts';

export interface Stopping {
  /** Aborted first: nothing new begins, and what is in progress may end. */
  readonly begun: AbortSignal;
  /** Aborted after the grace: what has not ended by then records nothing more and is left to the next start. */
  readonly graceOver: AbortSignal;
}

/** How long work in progress may take to end, in milliseconds. */
export const STOP_GRACE_MS = 5000;

export function createStopping(clock: Clock): Stopping & {
  begin(): void;
  /** All work has ended; the grace need not pass. */
  ended(): void;
} {
  const begun = new AbortController();
  const graceOver = new AbortController();
  let callOff = (): void => {};
  return {
    begun: begun.signal,
    graceOver: graceOver.signal,
    begin() {
      if (begun.signal.aborted) return;
      callOff = clock.wakeAfter(STOP_GRACE_MS, () => graceOver.abort());
      begun.abort();
    },
    ended: () => callOff(),
  };
}
