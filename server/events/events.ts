// Published events, and the lists of everything that a playbook records.
import type { JsonObject } from '../../shared/json.ts';
import type { EventRecord, Published } from '../../shared/schemas/index.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { type Clock, isoTime } from '../kernel/clock.ts';
import { keepLarge, readMember } from '../kernel/contents/index.ts';
import type { Ids } from '../kernel/ids.ts';
import {
  type EventLog,
  type Place,
  type ReadingPage,
  type ReadTransaction,
  selectEvent,
  selectEventByKey,
  selectReadEnd,
  selectReading,
  selectStream,
  type StoredEvent,
} from '../kernel/log/index.ts';
import { conflict, notFound } from '../kernel/rejection.ts';
import { requireActivePlaybook, requirePlaybook } from '../playbooks/index.ts';
import { fingerprintText, isSameTime, type PublishedEvent } from './cloud-event/index.ts';
import { showEvent } from './show.ts';
import { followEvents } from './follow.ts';

/** An event of a list, with its place there. */
export interface ShownEvent {
  event: EventRecord;
  place: number;
}

export interface HistoryPage {
  order: 'asc' | 'desc';
  after: number | undefined;
  limit: number;
}

export interface Events {
  /** Records an event once: the same again answers what the first one did. @throws Refused `conflict` */
  publish(place: Place, event: PublishedEvent, by: string, traceId: string): Promise<Published>;
  list(place: Place, page: ReadingPage): Promise<ShownEvent[]>;
  /** One event with every field in full. */
  get(place: Place, id: string): Promise<EventRecord>;
  /** @throws Refused `not_found` for a run that the playbook lacks */
  history(place: Place, runId: string, page: HistoryPage): Promise<ShownEvent[]>;
  /** What is recorded behind the event of that id, or from now on. */
  follow(place: Place, after: string | undefined, signal: AbortSignal): Promise<AsyncIterable<EventRecord>>;
}

export interface EventsOptions {
  log: EventLog;
  clock: Clock;
  ids: Ids;
}

export function createEvents({ log, clock, ids }: EventsOptions): Events {
  async function placeOf(tx: ReadTransaction, place: Place, after: string | undefined): Promise<number> {
    if (after === undefined) return selectReadEnd(tx, place);
    return Number((await requireEvent(tx, place, after)).readPosition);
  }

  return {
    publish: (place, given, by, traceId) =>
      log.write(async (tx) => {
        await requireActivePlaybook(tx, place);
        const { time: givenTime, id = ids(), ...rest } = given;
        const attributes = { ...rest, id };
        const key = JSON.stringify([attributes.source, id]);
        // An id that is made here is nobody else's.
        const first = given.id === undefined ? undefined : await selectEventByKey(tx, place, key);
        if (first !== undefined) return requireSame(id, await readPublished(tx, first), given);
        const now = clock.now();
        const time = givenTime ?? isoTime(now);
        const { data: payload, ...own } = attributes;
        const { data, kept } = await keepLarge(tx, place, { data: payload });
        const [recorded] = await log.append(tx, {
          ...place,
          stream: 'events',
          at: now,
          traceId,
          events: [
            {
              type: 'event_published',
              key,
              data: {
                event: { ...own, time },
                time_given: givenTime !== undefined,
                ...data,
              },
              kept,
              metadata: { by },
            },
          ],
        });
        return { id, time, recorded_at: String(recorded?.metadata.at) };
      }),
    list: (place, page) =>
      log.read(async (tx) => {
        await requirePlaybook(tx, place);
        const events = await selectReading(tx, place, page);
        return events.map((event) => ({ event: showEvent(event), place: Number(event.readPosition) }));
      }),
    get: (place, id) =>
      log.read(async (tx) => {
        await requirePlaybook(tx, place);
        const event = await requireEvent(tx, place, id);
        const whole: JsonObject = { ...event.data };
        for (const name of Object.keys(event.kept)) whole[name] = (await readMember(tx, event, name)) ?? null;
        return showEvent({ ...event, data: whole, kept: {} }, { full: true });
      }),
    history: (place, runId, page) =>
      log.read(async (tx) => {
        await requirePlaybook(tx, place);
        const stream = `run-${runId.toLowerCase()}`;
        const events = await selectStream(tx, place, { stream, ...page });
        if (events.length === 0 && page.after === undefined)
          throw notFound(`The playbook ${place.playbook} has no run ${runId}.`);
        return events.map((event) => ({ event: showEvent(event), place: event.position }));
      }),
    async follow(place, after, signal) {
      const start = await log.read(async (tx) => {
        await requirePlaybook(tx, place);
        return placeOf(tx, place, after);
      });
      return shown(followEvents(log, place, start, signal));
    },
  };
}

async function* shown(events: AsyncIterable<StoredEvent>): AsyncGenerator<EventRecord> {
  for await (const event of events) yield showEvent(event);
}

/** A published event as it was recorded. */
interface Recorded {
  event: PublishedEvent;
  time: string;
  isTimeGiven: boolean;
  recordedAt: string;
}

async function readPublished(tx: ReadTransaction, stored: StoredEvent): Promise<Recorded> {
  const attributes = stored.data['event'] as JsonObject;
  const data = await readMember(tx, stored, 'data');
  return {
    event: { ...attributes, ...(data === undefined ? {} : { data }) } as PublishedEvent,
    time: String(attributes['time']),
    isTimeGiven: stored.data['time_given'] === true,
    recordedAt: stored.metadata.at,
  };
}

/** What the first publishing answered, where this is the same event. @throws Refused `conflict` */
function requireSame(id: string, { event, time, isTimeGiven, recordedAt }: Recorded, given: PublishedEvent): Published {
  const isSame =
    isSameTime(isTimeGiven ? time : undefined, given.time) &&
    canonicalJson(fingerprintText(event)) === canonicalJson(fingerprintText({ ...given, id }));
  if (isSame) return { id, time, recorded_at: recordedAt };
  throw conflict(
    `The playbook has another event of this source with the id ${id}; send this one under an id of its own.`,
  );
}

async function requireEvent(tx: ReadTransaction, place: Place, id: string): Promise<StoredEvent> {
  const event = await selectEvent(tx, place, id);
  if (event !== undefined) return event;
  throw notFound(
    `The playbook ${place.playbook} has no event ${id.slice(0, 100)}; list_playbook_events shows those it has.`,
  );
}
