import type { EventLog, PlaybookKey, NumberedEvent } from '../../kernel/log/index.ts';
import { type ReadingPage, selectReading } from '../../kernel/log/index.ts';

const EVENTS_A_READ = 100;

/** Where in the playbook's order of reading to begin, and which tree of runs to follow; all events if absent. */
type FollowFrom = Pick<ReadingPage, 'tree'> & { after: number };

/**
 * Yields every event after a position in the playbook's order of reading, then each new one after its commit, each
 * once and in order. A page holds at least one event, and all that were recorded since the last page, up to 100. Ends
 * when `signal` is aborted.
 */
export async function* followEvents(
  log: Pick<EventLog, 'read' | 'onCommit'>,
  playbookKey: PlaybookKey,
  { after, tree }: FollowFrom,
  signal: AbortSignal,
): AsyncGenerator<readonly NumberedEvent[]> {
  let wake = (): void => {};
  let hasNews = true;
  const wakeReader = (): void => {
    hasNews = true;
    wake();
  };
  const stopListening = log.onCommit(playbookKey, wakeReader);
  signal.addEventListener('abort', wakeReader, { once: true });
  try {
    for (let last = after; !signal.aborted; ) {
      if (!hasNews) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      // Taken back before reading: what is committed during the read is news again.
      hasNews = false;
      const from = last;
      const page = await log.read((tx) =>
        selectReading(tx, playbookKey, { order: 'asc', after: from, limit: EVENTS_A_READ, tree }),
      );
      if (page.length === EVENTS_A_READ) hasNews = true;
      last = page.at(-1)?.readPosition ?? last;
      if (page.length > 0) yield page;
    }
  } finally {
    stopListening();
    signal.removeEventListener('abort', wakeReader);
  }
}
