// Where the order of reading and the common stream of a playbook end: many works of one commit take places there. The
// first of them takes them in the database, the others in memory, and what they took is written before the commit.
//
// 1. Inside a commit the memory is right and the table may lag behind: nothing but this reads it.
// 2. A work that is refused leaves the counters as it found them, as its savepoint leaves the database.
// 3. A commit that undoes itself takes its counters with it: none outlives its commit.
import type { PlaybookKey } from './event.ts';
import { setPosition, takePositions } from './sql.ts';
import type { SharedState, WriteTransaction } from './store.ts';

interface Counter {
  place: PlaybookKey;
  stream: string;
  end: number;
  /** What the database holds. */
  written: number;
}

export interface Counters extends SharedState {
  /** Takes the next places of a stream; answers the last of them. */
  take(tx: WriteTransaction, place: PlaybookKey, stream: string, count: number): Promise<number>;
}

export function createCounters(): Counters {
  const counters = new Map<string, Counter>();
  /** The counters that the current work changed, with their values before it; undefined for a new counter. */
  let before = new Map<string, number | undefined>();

  return {
    async take(tx, place, stream, count) {
      const key = `${place.org}\0${place.playbook}\0${stream}`;
      const known = counters.get(key);
      if (!before.has(key)) before.set(key, known?.end);
      if (known !== undefined) {
        known.end += count;
        return known.end;
      }
      const end = await takePositions(tx, place, stream, count);
      counters.set(key, { place, stream, end, written: end });
      return end;
    },
    workBegins() {
      if (before.size > 0) before = new Map();
    },
    workIsUndone() {
      for (const [key, end] of before) {
        const counter = counters.get(key);
        if (counter === undefined || end === undefined) counters.delete(key);
        else counter.end = end;
      }
    },
    async beforeCommit(tx) {
      for (const counter of counters.values()) {
        if (counter.end === counter.written) continue;
        await setPosition(tx, counter.place, counter.stream, counter.end);
        counter.written = counter.end;
      }
    },
  };
}
