import type { EventLog, Place, StoredEvent } from '../../kernel/log/index.ts';
import { selectReading } from '../../kernel/log/index.ts';

const EVENTS_A_READ = 100;

/**
 * Gives every event behind a place in the playbook's order of reading, then each new one after its commit, each
 * once and in order. Ends when `signal` is aborted.
 */
export async function* followEvents(
  log: EventLog,
  place: Place,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent> {
  let wake = (): void => {};
  let hasNews = true;
  const tell = (): void => {
    hasNews = true;
    wake();
  };
  const stopListening = log.onCommit(place, tell);
  signal.addEventListener('abort', tell, { once: true });
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
      const page = await log.read((tx) =>
        selectReading(tx, place, { order: 'asc', after: last, limit: EVENTS_A_READ }),
      );
      if (page.length === EVENTS_A_READ) hasNews = true;
      for (const event of page) {
        last = Number(event.readPosition);
        yield event;
      }
    }
  } finally {
    stopListening();
    signal.removeEventListener('abort', tell);
  }
}
