// Messages of a server that are too large for the main thread. The client gets a small message in place of each result of
// a call, and of each list of tools. What it stands for waits here: the message, unchanged, until its call takes it for
// a worker to read; or the tools, as a worker has read them.
import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import { isJsonObject } from '../../../../shared/json.ts';
import { asOwnWork } from '../../../lib/own-work.ts';
import { LARGE_BYTES, textJob, type TextWork } from '../../../lib/text-work/index.ts';
import type { DescribedList } from './content.ts';
import { type standIn, STANDS_IN } from './stand-in.job.ts';

export interface LargeMessages {
  isLarge: (characters: number) => boolean;
  /** What the client gets: a message that stands in, or this one. Undefined where it is none, or holds too much. */
  shrink: (message: string) => Promise<string | undefined>;
  /** The message or the tools that a result stands in for; undefined where it stands for itself. */
  takeFor: (result: unknown) => string | DescribedList | undefined;
}

const STAND_IN = textJob<typeof standIn>({
  module: new URL('./stand-in.job.ts', import.meta.url),
  name: 'standIn',
  deadlineMs: 20_000,
});

/** More than a server is called at once: those of calls that were given up meanwhile are never taken. */
const MOST_WAITING = 16;

export function createLargeMessages(textWork: TextWork): LargeMessages {
  const waiting = new LRUCache<string, string | DescribedList>({ max: MOST_WAITING });
  return {
    isLarge: (characters) => characters > LARGE_BYTES,
    async shrink(message) {
      // It cannot be guessed, so a server's result cannot impersonate another.
      const key = randomUUID();
      // It has arrived, so nobody is helped by a refusal; the deadline of the call ends the wait.
      const made = await asOwnWork({}, () => textWork.run(STAND_IN, { message, key })).catch(() => undefined);
      if (typeof made !== 'object') return undefined;
      const { standsFor } = made;
      if (standsFor === undefined) return made.message;
      waiting.set(key, standsFor === 'call' ? message : standsFor);
      return made.message;
    },
    takeFor(result) {
      const meta = isJsonObject(result) ? result['_meta'] : undefined;
      const key = isJsonObject(meta) ? meta[STANDS_IN] : undefined;
      if (typeof key !== 'string') return undefined;
      const waited = waiting.get(key);
      waiting.delete(key);
      return waited;
    },
  };
}
