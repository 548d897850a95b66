import type { EventRecord } from '../../shared/api/index.ts';
import { openStream } from './call.ts';
import { ProblemError } from './problem-error.ts';

/**
 * Milliseconds before the stream is opened again; one that was open for `steady` and then ended without an error is opened
 * again at once.
 */
const WAITS = { first: 500, longest: 10_000, steady: 1_000 };

export interface Follower {
  /**
   * The stream is open. With `missed`, it does not continue where the previous stream ended: data that was read before may
   * be out of date.
   */
  onOpen: (missed: boolean) => void;
  onEvent: (event: EventRecord) => void;
  onLost: () => void;
  /** The service responds, but the playbook does not exist yet. */
  onUnknown: () => void;
}

/**
 * Reports every event of the playbook from now on, each once and in order, also after a lost connection, until `signal`
 * is aborted.
 */
export async function followEvents(
  playbook: string,
  follower: Follower,
  signal: AbortSignal,
  { first, longest, steady } = WAITS,
): Promise<void> {
  let after: string | undefined;
  for (let wait = first; !signal.aborted; wait = Math.min(wait * 2, longest)) {
    try {
      const events = await openStream('follow_events', { playbook, after }, signal);
      follower.onOpen(after === undefined);
      wait = first;
      const openedAt = performance.now();
      for await (const event of events) {
        after = event.id;
        follower.onEvent(event);
      }
      // The service ends a stream when the credential expires, which may be every minute: the connection is not lost.
      if (performance.now() - openedAt >= steady) continue;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ProblemError && error.problem.status < 500) {
        if (after === undefined) {
          follower.onUnknown();
          await pause(longest, signal);
        }
        // It may be another store, which does not know the event: start from now.
        after = undefined;
        continue;
      }
    }
    if (signal.aborted) return;
    follower.onLost();
    await pause(wait, signal);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}
