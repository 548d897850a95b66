// The next events for a view, a few reads of the log at a time: between them everything else has its turn.
import { type EventLog, type PlaybookKey, selectReadEnd, selectTyped } from '../../kernel/log/index.ts';
import type { ReadFilter } from '../../kinds/checked.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { keeps, type KeptEvent, readKept, typesOf } from './kept-events.ts';

export interface Batch {
  events: KeptEvent[];
  /** The position in the order of reading up to which the events are all that the view keeps. */
  upTo: number;
  /** Whether that is where the log ended. */
  isEnd: boolean;
}

const MOST_CHARACTERS = 4_000_000;
const ROWS_A_READ = 500;
/** How many reads find nothing before their progress is stored. */
const MOST_READS = 20;

/** What a view with these filters keeps after a position in the order of reading. */
export async function readBatch(
  log: EventLog,
  playbookKey: PlaybookKey,
  reads: readonly ReadFilter[],
  after: number,
  mostEvents: number,
): Promise<Batch> {
  const batch: Batch = { events: [], upTo: after, isEnd: false };
  const types = typesOf(reads);
  let characters = 0;
  for (let count = 0; count < MOST_READS; count += 1) {
    const isFull = await log.read(async (tx) => {
      const end = await selectReadEnd(tx, playbookKey);
      const page = await selectTyped(tx, playbookKey, { types, order: 'asc', after: batch.upTo, limit: ROWS_A_READ });
      for (const stored of page) {
        if (batch.events.length >= mostEvents || characters >= MOST_CHARACTERS) return true;
        batch.upTo = Number(stored.readPosition);
        if (!keeps(reads, stored)) continue;
        const kept = await readKept(tx, stored);
        characters += kept.text.length;
        batch.events.push(kept);
      }
      batch.isEnd = page.length < ROWS_A_READ;
      if (batch.isEnd) batch.upTo = Math.max(batch.upTo, end);
      return batch.isEnd;
    });
    if (isFull) break;
    await yieldToEventLoop();
  }
  return batch;
}

/** How many events after a position, up to where the log ends, a view with these filters keeps. */
export async function countKept(
  log: EventLog,
  playbookKey: PlaybookKey,
  reads: readonly ReadFilter[],
  after: number,
): Promise<{ count: number; upTo: number }> {
  const types = typesOf(reads);
  const counted = { count: 0, upTo: after };
  for (let isEnd = false; !isEnd; ) {
    isEnd = await log.read(async (tx) => {
      const end = await selectReadEnd(tx, playbookKey);
      const page = await selectTyped(tx, playbookKey, { types, order: 'asc', after: counted.upTo, limit: ROWS_A_READ });
      counted.count += page.filter((stored) => keeps(reads, stored)).length;
      const isLast = page.length < ROWS_A_READ;
      counted.upTo = isLast ? Math.max(counted.upTo, end) : Number(page.at(-1)?.readPosition);
      return isLast;
    });
    if (!isEnd) await yieldToEventLoop();
  }
  return counted;
}

/**
 * The newest events that the filters keep, oldest first, and no more once they have as many characters as a batch; those
 * far back are not looked for.
 */
export async function readNewest(
  log: EventLog,
  playbookKey: PlaybookKey,
  reads: readonly ReadFilter[],
  most: number,
): Promise<KeptEvent[]> {
  const types = typesOf(reads);
  const newest: KeptEvent[] = [];
  let after: number | undefined;
  let characters = 0;
  const isFull = (): boolean => newest.length >= most || characters >= MOST_CHARACTERS;
  for (let count = 0; count < MOST_READS; count += 1) {
    const isEnd = await log.read(async (tx) => {
      const page = await selectTyped(tx, playbookKey, { types, order: 'desc', after, limit: ROWS_A_READ });
      after = page.at(-1)?.readPosition ?? undefined;
      for (const stored of page) {
        if (isFull()) return true;
        if (!keeps(reads, stored)) continue;
        const kept = await readKept(tx, stored);
        characters += kept.text.length;
        newest.push(kept);
      }
      return page.length < ROWS_A_READ || isFull();
    });
    if (isEnd) break;
    await yieldToEventLoop();
  }
  return newest.toReversed();
}
