// What the runtime does by itself: steps of workflows, called runs, triggers, deliveries. Everything else is a caller's
// request. The difference is known to all code that such work calls, so that whatever allows only so many at once can distinguish
// them apart: a request is refused after ten seconds, own work waits for its turn (docs/decisions/turns.md).
import { AsyncLocalStorage } from 'node:async_hooks';

export interface OwnWork {
  /** Aborted once the work is not wanted any more; what waits then gets its reason as an error. */
  unwanted?: AbortSignal;
  /** Aborted once the service stops: what waits then has no turn any more, and is left to the next start. */
  stopping?: AbortSignal;
  /** Called when a wait for a turn begins. Returns what is called when it is over. */
  onWait?: () => () => void;
}

/** How long a caller's request waits for a turn before it is refused, in milliseconds. */
export const REQUEST_WAIT_MS = 10_000;

const current = new AsyncLocalStorage<OwnWork>();

/** Runs a function whose calls are the runtime's own work. */
export function asOwnWork<T>(work: OwnWork, run: () => T): T {
  return current.run(work, run);
}

/** The work that this call belongs to; undefined in a caller's request. */
export function ownWork(): OwnWork | undefined {
  return current.getStore();
}

/** Waits, as for a turn, for something that other work waits for as well. @throws the reason of `unwanted` */
export async function whileWaiting<T>(turn: Promise<T>): Promise<T> {
  const { unwanted, onWait } = ownWork() ?? {};
  const { promise: calledOff, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(unwanted?.reason);
  if (unwanted?.aborted === true) abort();
  unwanted?.addEventListener('abort', abort, { once: true });
  const end = onWait?.();
  try {
    return await Promise.race([turn, calledOff]);
  } finally {
    end?.();
    unwanted?.removeEventListener('abort', abort);
  }
}
