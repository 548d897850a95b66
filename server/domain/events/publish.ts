// Publishing an event: it is recorded once, and its subscribers are notified in the same transaction.
import { canonicalJson } from '../../lib/canonical-json.ts';
import { type Clock, isoTime } from '../../lib/clock.ts';
import { storeLargeMembers, readMember } from '../../kernel/contents/index.ts';
import type { Ids } from '../../kernel/ids.ts';
import {
  type EventLog,
  type NewEvent,
  type PlaybookKey,
  type ReadTransaction,
  selectEvent,
  selectEventByKey,
  type StoredEvent,
  type WriteTransaction,
} from '../../kernel/log/index.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { Published, ReachedRun } from '../../../shared/schemas/index.ts';
import { notFound, Refused } from '../../lib/rejection.ts';
import { fingerprintText, isSameTime, type PublishedEvent } from './cloud-event/index.ts';
import { type Correlate, findSubscribers, type Subscriber } from './subscriptions.ts';

/** Runs that the result of a publication names, at most. */
const MOST_REACHED = 100;

/** Adds the work that follows from an event, in the transaction that records it. @returns the run that it is sure to reach */
export type Reaction = (
  tx: WriteTransaction,
  playbookKey: PlaybookKey,
  subscriber: Subscriber,
  event: StoredEvent,
) => Promise<ReachedRun | undefined>;

export interface Publishing {
  /** Records an event once; for the same event again, it returns the result of the first. @throws Refused `conflict` */
  publishIn(tx: WriteTransaction, playbookKey: PlaybookKey, event: PublishedEvent, from: Publisher): Promise<Published>;
  /** Has `react` called for subscribers of that reaction. */
  onPublished(reaction: string, react: Reaction): void;
}

export interface Publisher {
  /** The event's metadata about its publisher. */
  metadata: NewEvent['metadata'];
  traceId?: string;
  /** When it is recorded; absent: now. */
  at?: number;
}

export interface PublishingOptions {
  log: EventLog;
  clock: Clock;
  ids: Ids;
  /** Absent: every subscription to such an event counts, whatever its data must be. */
  correlate?: Correlate;
}

export function createPublishing({ log, clock, ids, correlate = () => undefined }: PublishingOptions): Publishing {
  const reactions = new Map<string, Reaction>();
  return {
    async publishIn(tx, playbookKey, given, { metadata, traceId, at: now = clock.now() }) {
      const { time: givenTime, id = ids(), ...rest } = given;
      const attributes = { ...rest, id };
      const key = eventKey(attributes.source, id);
      // A generated id is unique.
      const first = given.id === undefined ? undefined : await selectEventByKey(tx, playbookKey, key);
      if (first !== undefined) return requireSame(id, await readPublished(tx, first), given);
      const time = givenTime ?? isoTime(now);
      const { data: payload, ...own } = attributes;
      const { data, kept } = await storeLargeMembers(tx, playbookKey, { data: payload });
      const [recorded] = await log.append(tx, {
        ...playbookKey,
        stream: 'events',
        at: now,
        ...(traceId === undefined ? {} : { traceId }),
        events: [
          {
            type: 'event_published',
            key,
            data: { event: { ...own, time }, time_given: givenTime !== undefined, ...data },
            kept,
            metadata,
          },
        ],
      });
      if (recorded === undefined) throw new Error('An append answered without its event.');
      const reached: ReachedRun[] = [];
      for (const subscriber of await findSubscribers(tx, playbookKey, attributes, correlate)) {
        const run = await reactions.get(subscriber.reaction)?.(tx, playbookKey, subscriber, recorded);
        // A run may listen in several steps.
        if (run !== undefined && reached.at(-1)?.run_id !== run.run_id) reached.push(run);
      }
      const shown = reached.slice(0, MOST_REACHED);
      return { id, time, recorded_at: recorded.metadata.at, event_id: recorded.id, reached: shown };
    },
    onPublished(reaction, react) {
      reactions.set(reaction, react);
    },
  };
}

/** Another event of the playbook has this one's source and id. */
export class EventIdTaken extends Refused {
  readonly key: string;

  constructor(key: string, id: string) {
    const detail = `The playbook has another event of this source with the id ${id}; send this one with a different id.`;
    super({ reason: 'conflict', detail });
    this.key = key;
  }
}

/** What identifies a published event in its playbook. */
function eventKey(source: string, id: string): string {
  return JSON.stringify([source, id]);
}

/** A published event as it was recorded. */
interface RecordedEvent {
  /** The id of the record. */
  recordId: string;
  event: PublishedEvent;
  time: string;
  isTimeGiven: boolean;
  recordedAt: string;
}

/**
 * The id of the record of a published event.
 * @param id that id or, with a source, the event's own one
 * @throws Refused `not_found`
 */
export async function requirePublishedEvent(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  id: string,
  source: string | undefined,
): Promise<string> {
  const event = await (source === undefined
    ? selectEvent(tx, playbookKey, id)
    : selectEventByKey(tx, playbookKey, eventKey(source, id)));
  if (event?.type === 'event_published') return event.id;
  const what = `The playbook ${playbookKey.playbook} has no published event ${id.slice(0, 100)}`;
  throw notFound(
    source === undefined
      ? `${what}; send the \`event_id\` that publish_event returned, or the event's own \`id\` with its source as \`event_source\`.`
      : `${what} of the source ${source.slice(0, 200)}; list_playbook_events with \`type\` event_published lists its events.`,
  );
}

export async function readPublished(tx: ReadTransaction, stored: StoredEvent): Promise<RecordedEvent> {
  const attributes = stored.data['event'] as JsonObject;
  const data = await readMember(tx, stored, 'data');
  return {
    recordId: stored.id,
    event: { ...attributes, ...(data === undefined ? {} : { data }) } as PublishedEvent,
    time: String(attributes['time']),
    isTimeGiven: stored.data['time_given'] === true,
    recordedAt: stored.metadata.at,
  };
}

/** The result of the first publication, if this is the same event. @throws EventTaken */
function requireSame(
  id: string,
  { recordId, event, time, isTimeGiven, recordedAt }: RecordedEvent,
  given: PublishedEvent,
): Published {
  const isSame =
    isSameTime(isTimeGiven ? time : undefined, given.time) &&
    canonicalJson(fingerprintText(event)) === canonicalJson(fingerprintText({ ...given, id }));
  if (isSame) return { id, time, recorded_at: recordedAt, event_id: recordId };
  throw new EventIdTaken(eventKey(given.source, id), id);
}
