// How much a server may send unrequested. Answers have limits of their own; notifications, log messages, requests and
// lines that are not messages cost the main thread as much, and no caller waits for them.
import type { Clock } from '../../../lib/clock.ts';

export interface MessageRate {
  /** Counts a message of this size; false once there was more than is allowed within a second. */
  allows: (bytes: number) => boolean;
  /** A request was sent: its answer is allowed beside the others. */
  asked: () => void;
}

export interface MostInSecond {
  messages: number;
  bytes: number;
}

/** What a server may send unrequested within a second, over all its sessions. */
export const MOST_UNASKED: MostInSecond = { messages: 500, bytes: 1024 * 1024 };

export const TOO_MANY_MESSAGES = `The server was disconnected: within one second it sent more than ${MOST_UNASKED.messages} messages, or 1 MiB, that were not asked for.`;

export function createMessageRate(clock: Clock, most: MostInSecond): MessageRate {
  let since = Number.NEGATIVE_INFINITY;
  let messages = 0;
  let bytes = 0;
  return {
    allows(size) {
      const now = clock.elapsed();
      if (now - since >= 1000) {
        since = now;
        messages = 0;
        bytes = 0;
      }
      messages += 1;
      bytes += size;
      return messages <= most.messages && bytes <= most.bytes;
    },
    asked() {
      messages -= 1;
    },
  };
}
