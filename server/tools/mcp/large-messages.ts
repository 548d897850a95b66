// Messages of a server that are too large for the main thread. The client gets a small message in place of each result of
// a call; the message itself waits here, as it came, until its call takes it for a worker to read.
import { randomUUID } from 'node:crypto';
import { isJsonObject } from '../../../shared/json.ts';
import type { TextWork } from '../../kernel/text-work/index.ts';
import { LARGE_ANSWER_BYTES } from '../server.ts';
import { STANDS_IN } from './stand-in.job.ts';

export interface LargeMessages {
  isLarge: (characters: number) => boolean;
  /** What the client gets: a message that stands in, or this one. Undefined where it cannot be read in time. */
  shrink: (message: string) => Promise<string | undefined>;
  /** The message that a result stands in for; undefined where it stands for itself. */
  takeFor: (result: unknown) => string | undefined;
}

/** More than a server is called at once. */
const MOST_WAITING = 16;

export function createLargeMessages(textWork: TextWork): LargeMessages {
  const waiting = new Map<string, string>();
  return {
    isLarge: (characters) => characters > LARGE_ANSWER_BYTES,
    async shrink(message) {
      // Nobody can guess it: a result of the server's own cannot stand for another.
      const key = randomUUID();
      const standIn = await textWork.carryOut('standIn', { message, key }).catch(() => undefined);
      if (typeof standIn !== 'object') return undefined;
      if (standIn.message === undefined) return message;
      waiting.set(key, message);
      // Of calls that were given up meanwhile nobody takes them.
      const [oldest] = waiting.keys();
      if (waiting.size > MOST_WAITING && oldest !== undefined) waiting.delete(oldest);
      return standIn.message;
    },
    takeFor(result) {
      const meta = isJsonObject(result) ? result['_meta'] : undefined;
      const key = isJsonObject(meta) ? meta[STANDS_IN] : undefined;
      if (typeof key !== 'string') return undefined;
      const message = waiting.get(key);
      waiting.delete(key);
      return message;
    },
  };
}
