// Recording an ending that could not be recorded, so that its run does not stay in progress. The request got an error. The
// task of a called run is tried again and waits for the ending, unless the call was cancelled meanwhile.
import type { Logger } from 'pino';
import { StreamMoved } from '../../../kernel/log/index.ts';
import type { Clock } from '../../../lib/clock.ts';
import { untilAborted } from '../../../lib/deadline.ts';
import { Refused } from '../../../lib/rejection.ts';
import { Outdated } from './admission.ts';

/** The time until an ending is tried again that the store refuses, in milliseconds. */
const AGAIN_MS = 1000;
/** How often an ending is tried that fails for another reason; each time, the time until the next one doubles. */
const MOST_FAILURES = 5;

/** Calls `record` again until it succeeds, is void, has failed too often, or until `left` is aborted. */
export async function recordLater(
  record: () => Promise<unknown>,
  { left, clock, logger }: { left: AbortSignal; clock: Clock; logger: Logger },
): Promise<void> {
  for (let failures = 0; failures < MOST_FAILURES; ) {
    const { promise: isTime, resolve } = Promise.withResolvers<void>();
    const callOff = clock.wakeAfter(AGAIN_MS * 2 ** failures, resolve);
    await untilAborted(isTime, left).finally(callOff);
    if (left.aborted) return;
    try {
      await record();
      return;
    } catch (error) {
      if (isVoid(error)) return;
      if (isRefusedForNow(error)) continue;
      failures += 1;
      logger.error({ err: error }, 'The ending of a run could not be recorded.');
    }
  }
}

/** Whether another attempt has taken the place of the one whose ending was to be recorded. */
export function isVoid(error: unknown): boolean {
  return error instanceof StreamMoved || error instanceof Outdated;
}

/** Whether the store refused a work, of which nothing was done. */
function isRefusedForNow(error: unknown): boolean {
  return error instanceof Refused && error.rejection.reason === 'unavailable';
}
