import type { EventRecord } from '../../shared/api/index.ts';
import { openStream } from './call.ts';
import { ProblemError } from './problem-error.ts';

/** Milliseconds. */
const WAITS = { first: 500, longest: 10_000 };

export interface Follower {
  /**
   * A stream begins. With `missed`, it does not continue where another one broke off: what was read before it may lack
   * events that it does not give.
   */
  onOpen: (missed: boolean) => void;
  onEvent: (event: EventRecord) => void;
  onLost: () => void;
  /** The service answers, but knows no such playbook, at least not yet. */
  onUnknown: () => void;
}

/** Tells every event of the playbook from now on, each once and in order, over any break, until `signal` is aborted. */
export async function followEvents(
  playbook: string,
  follower: Follower,
  signal: AbortSignal,
  { first, longest } = WAITS,
): Promise<void> {
  let after: string | undefined;
  for (let wait = first; !signal.aborted; wait = Math.min(wait * 2, longest)) {
    try {
      const events = await openStream('follow_events', { playbook, after }, signal);
      follower.onOpen(after === undefined);
      wait = first;
      for await (const event of events) {
        after = event.id;
        follower.onEvent(event);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ProblemError && error.problem.status < 500) {
        if (after === undefined) {
          follower.onUnknown();
          await pause(longest, signal);
        }
        // Another store may answer, which does not know the event: begin anew.
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
