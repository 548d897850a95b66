// The event log: the truth of every playbook.
//
// 1. A stream's positions run from 1 without gaps. Who expects another end than the stream has is refused.
// 2. A playbook's read positions run from 1 without gaps, given inside the transaction that commits them.
// 3. Read tables are written by folding each event in the transaction that records it; a rebuild folds the
//    same events through the same projections, and decides nothing again.
// 4. Followers are notified after the commit, never before; of a commit of another process, soon after it.
import { type Clock, isoTime } from '../../lib/clock.ts';
import type { Ids } from '../ids.ts';
import { randomHex } from '../../lib/random.ts';
import type { NewEvent, PlaybookKey, StoredEvent } from './event.ts';
import { type Ends, findEnds, moveEnds, readEndsAgain } from './positions.ts';
import { insertEvents, type PlacedEvent, selectAll } from './sql.ts';
import { pagesOf } from './many-rows.ts';
import { createInnerCommits } from './inner-commits.ts';
import { requireInScope, type Store, UniqueViolation, type WriteTransaction } from './store.ts';

/** What folds events into read tables. It reads and writes only its own tables. */
export interface Projection {
  /** The tables it owns, in an order in which they can be emptied. */
  tables: readonly string[];
  /** Undefined if the event changes none of its tables. */
  apply(tx: WriteTransaction, event: StoredEvent): Promise<void> | undefined;
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
  /**
   * Calls `tell` after each commit that recorded events of the playbook, and perhaps after others of other processes.
   * Answers how to stop it.
   */
  onCommit(place: PlaybookKey, tell: () => void): () => void;
  /** Empties the read tables and folds the whole log into them again. Answers how many events were folded. */
  rebuild(): Promise<number>;
  /** As `rebuild`, in a transaction on every playbook. */
  rebuildIn(tx: WriteTransaction): Promise<number>;
  /** The tables that a rebuild empties. */
  readTables: readonly string[];
}

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
  store.shared?.onCommittedElsewhere(tellFollowers);

  function prepare({ org, playbook, stream, at: recordedAt, traceId, events }: Append): PreparedEvent[] {
    const at = isoTime(recordedAt ?? clock.now());
    const trace = { trace_id: traceId ?? randomHex(16), span_id: randomHex(8) };
    return events.map((event) => ({
      org,
      playbook,
      id: event.id ?? ids(),
      stream,
      type: event.type,
      key: event.key,
      data: event.data,
      kept: event.kept ?? {},
      metadata: {
        correlation_id: null,
        causation_id: null,
        ...event.metadata,
        at: event.at === undefined ? at : isoTime(event.at),
        ...trace,
      },
    }));
  }

  async function fold(tx: WriteTransaction, event: StoredEvent): Promise<void> {
    for (const projection of projections) {
      const applied = projection.apply(tx, event);
      if (applied !== undefined) await applied;
    }
  }

  async function rebuildIn(tx: WriteTransaction): Promise<number> {
    for (const { tables } of projections) for (const table of tables) await tx.run(`DELETE FROM ${table}`);
    const asCommit = createInnerCommits(tx);
    let last = 0;
    let count = 0;
    for (;;) {
      const page = await selectAll(tx, last, EVENTS_A_REBUILD_PAGE);
      await asCommit(async (inner) => {
        for (const event of page) await fold(inner, event);
      });
      last = page.at(-1)?.globalPosition ?? last;
      count += page.length;
      if (page.length < EVENTS_A_REBUILD_PAGE) return count;
    }
  }

  return {
    ...store,
    async append(tx, append) {
      const { org, playbook, stream } = append;
      const place = { org, playbook };
      requireInScope(tx, place);
      const recorded = await insertBehind(tx, append, prepare(append));
      const last = recorded.at(-1);
      if (last !== undefined) moveEnds(tx, place, stream, { stream: last.position, reading: last.readPosition });
      for (const event of recorded) await fold(tx, event);
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
    rebuild: () => store.write('every playbook', rebuildIn),
    rebuildIn,
    readTables: projections.flatMap(({ tables }) => tables),
  };
}

type PreparedEvent = Omit<PlacedEvent, 'position' | 'readPosition'>;

/** Records events where their stream and the order of reading end. @throws StreamMoved; nothing is recorded then */
async function insertBehind(
  tx: WriteTransaction,
  { org, playbook, stream, expected, listed = true }: Append,
  events: readonly PreparedEvent[],
): Promise<StoredEvent[]> {
  const place = { org, playbook };
  const [first, ...others] = pagesOf(events);
  if (first === undefined) return [];
  const insertFirst = (ends: Ends): Promise<StoredEvent[]> => {
    if (expected !== undefined && expected !== ends.stream) throw new StreamMoved(stream);
    return insertEvents(tx, placed(first, ends, listed));
  };
  let ends = await findEnds(tx, place, stream, expected);
  const recorded: StoredEvent[] = [];
  try {
    recorded.push(...(await insertFirst(ends)));
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    const real = await readEndsAgain(tx, place, stream);
    const wereReal = real.stream === ends.stream && (!listed || real.reading === ends.reading);
    if (wereReal) throw error;
    ends = real;
    recorded.push(...(await insertFirst(ends)));
  }
  for (const page of others) {
    const { length } = recorded;
    const next = { stream: ends.stream + length, reading: ends.reading + length };
    recorded.push(...(await insertEvents(tx, placed(page, next, listed))));
  }
  return recorded;
}

function placed(events: readonly PreparedEvent[], ends: Ends, listed: boolean): PlacedEvent[] {
  return events.map((event, index) => ({
    ...event,
    position: ends.stream + 1 + index,
    readPosition: listed ? ends.reading + 1 + index : null,
  }));
}

function keyOf(place: PlaybookKey): string {
  return JSON.stringify([place.org, place.playbook]);
}
