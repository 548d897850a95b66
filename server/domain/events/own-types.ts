// Lists of published events by their own type. Their record has the type `event_published`, and no index has the own one:
// a page looks at a bounded number of records, and says where the next page continues.
import { isJsonObject } from '../../../shared/json.ts';
import { isReservedEventType, UNLISTED_EVENT_SCHEMAS } from '../../../shared/schemas/events/index.ts';
import {
  type NumberedEvent,
  type PlaybookKey,
  type ReadingPage,
  type ReadTransaction,
  selectReading,
} from '../../kernel/log/index.ts';

/** Records that a page looks at. */
const MOST_SEARCHED = 1000;
const READ_AT_ONCE = 200;

export interface ReadPage {
  events: NumberedEvent[];
  /** The position after which the next page continues; absent if the page has all remaining events, or more than it may. */
  searchedTo?: number;
}

/** Whether a type is not one that the service records. */
export function isOwnType(type: string): boolean {
  return !isReservedEventType(type) && !Object.hasOwn(UNLISTED_EVENT_SCHEMAS, type);
}

/** Published events of an own type, at most `limit`. */
export async function selectOwnType(
  tx: ReadTransaction,
  playbook: PlaybookKey,
  { type, limit, ...page }: ReadingPage,
): Promise<ReadPage> {
  const events: NumberedEvent[] = [];
  let { after } = page;
  for (let searched = 0; searched < MOST_SEARCHED; searched += READ_AT_ONCE) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
    const read = await selectReading(tx, playbook, { ...page, type: 'event_published', after, limit: READ_AT_ONCE });
    for (const event of read) {
      if (ownTypeOf(event) !== type) continue;
      events.push(event);
      if (events.length === limit) return { events };
    }
    if (read.length < READ_AT_ONCE) return { events };
    after = Number(read.at(-1)?.readPosition);
  }
  return { events, ...(after === undefined ? {} : { searchedTo: after }) };
}

function ownTypeOf({ data: { event } }: NumberedEvent): unknown {
  return isJsonObject(event) ? event['type'] : undefined;
}
