// The event log: the truth of every playbook.
//
// 1. A stream's positions run from 1 without gaps. Who expects another end than the stream has is refused.
// 2. A playbook's read positions run from 1 without gaps, given inside the transaction that commits them.
// 3. Read tables are written by folding each event in the transaction that records it; a rebuild folds the
//    same events through the same projections, and decides nothing again.
// 4. Followers are notified after the commit, never before.
import { type Clock, isoTime } from '../../lib/clock.ts';
import type { Ids } from '../ids.ts';
import { randomHex } from '../../lib/random.ts';
import type { NewEvent, PlaybookKey, StoredEvent } from './event.ts';
import { createCounters } from './counters.ts';
import { insertEvent, READING, selectAll, selectStreamEnd } from './sql.ts';
import { requireInScope, type Store, type WriteTransaction } from './store.ts';

/** What folds events into read tables. It reads and writes only its own tables. */
export interface Projection {
  /** The tables it owns, in an order in which they can be emptied. */
  tables: readonly string[];
  apply(tx: WriteTransaction, event: StoredEvent): Promise<void>;
}

export interface Append extends PlaybookKey {
  stream: string;
  /** The position the stream must end with; 0 for a stream that must not exist yet; absent: wherever it ends. */
  expected?: number;
  /** False for what no list of a playbook's events shows. */
  listed?: boolean;
  /** When it is recorded, in milliseconds since 1970; absent: now. */
  at?: number;
  /** The trace of the request that records it; a new trace if absent. */
  traceId?: string;
  events: readonly NewEvent[];
}

/** The stream does not end where the writer expected: somebody else recorded something in between. */
export class StreamMoved extends Error {
  constructor(stream: string) {
    super(`The stream ${stream} does not end where it was expected to.`);
    this.name = 'StreamMoved';
  }
}

export interface EventLog extends Store {
  /** Records events in a stream and folds them into the read tables. Several calls in one work are all or none. */
  append(tx: WriteTransaction, append: Append): Promise<StoredEvent[]>;
  /** Calls `tell` after each commit that recorded events of the playbook. Answers how to stop it. */
  onCommit(place: PlaybookKey, tell: () => void): () => void;
  /** Empties the read tables and folds the whole log into them again. Answers how many events were folded. */
  rebuild(): Promise<number>;
}

/** The stream of a playbook that works append to side by side; others are appended to one after the other. */
const COMMON_STREAM = 'events';
const EVENTS_A_REBUILD_PAGE = 500;

export interface EventLogOptions {
  store: Store;
  projections: readonly Projection[];
  clock: Clock;
  ids: Ids;
}

export function createEventLog({ store, projections, clock, ids }: EventLogOptions): EventLog {
  const followers = new Map<string, Set<() => void>>();

  function tellFollowers(place: PlaybookKey): void {
    for (const tell of followers.get(keyOf(place)) ?? []) tell();
  }

  return {
    ...store,
    async append(tx, { org, playbook, stream, expected, listed = true, at: recordedAt, traceId, events }) {
      const place = { org, playbook };
      requireInScope(tx, place);
      const counters = tx.shared(createCounters);
      // From here on no other work takes a place in the playbook, so that the stream ends where it is seen to end.
      await counters.take(tx, place, READING, 0);
      const isCommon = stream === COMMON_STREAM;
      const end = isCommon ? await counters.take(tx, place, stream, 0) : await selectStreamEnd(tx, place, stream);
      // Checked before a position is taken: a work that catches the refusal and continues must not leave a gap.
      if (expected !== undefined && expected !== end) throw new StreamMoved(stream);
      if (isCommon) await counters.take(tx, place, stream, events.length);
      const readPosition = listed ? await counters.take(tx, place, READING, events.length) : null;
      const at = isoTime(recordedAt ?? clock.now());
      const trace = { trace_id: traceId ?? randomHex(16), span_id: randomHex(8) };
      const recorded: StoredEvent[] = [];
      for (const [index, event] of events.entries()) {
        const stored = {
          org,
          playbook,
          id: event.id ?? ids(),
          stream,
          position: end + 1 + index,
          readPosition: readPosition === null ? null : readPosition - events.length + 1 + index,
          type: event.type,
          data: event.data,
          kept: event.kept ?? {},
          metadata: { correlation_id: null, causation_id: null, ...event.metadata, at, ...trace },
        };
        const complete = { ...stored, globalPosition: await insertEvent(tx, stored, event.key) };
        recorded.push(complete);
        for (const projection of projections) await projection.apply(tx, complete);
      }
      tx.afterCommit(() => tellFollowers(place));
      return recorded;
    },
    onCommit(place, tell) {
      const key = keyOf(place);
      const told = followers.get(key) ?? new Set();
      followers.set(key, told.add(tell));
      return () => {
        told.delete(tell);
        if (told.size === 0 && followers.get(key) === told) followers.delete(key);
      };
    },
    rebuild: () =>
      store.write('every playbook', async (tx) => {
        for (const { tables } of projections) for (const table of tables) await tx.run(`DELETE FROM ${table}`);
        let last = 0;
        let count = 0;
        for (;;) {
          const page = await selectAll(tx, last, EVENTS_A_REBUILD_PAGE);
          for (const event of page) {
            for (const projection of projections) await projection.apply(tx, event);
            last = event.globalPosition;
          }
          count += page.length;
          if (page.length < EVENTS_A_REBUILD_PAGE) return count;
        }
      }),
  };
}

function keyOf(place: PlaybookKey): string {
  return JSON.stringify([place.org, place.playbook]);
}
