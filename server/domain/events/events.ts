// Published events, and the lists of everything that a playbook records.
import type { Json, JsonObject } from '../../../shared/json.ts';
import type { EventRecord, Published } from '../../../shared/schemas/index.ts';
import { readMemberToShow } from '../../kernel/contents/index.ts';
import {
  type EventLog,
  type PlaybookKey,
  type ReadingPage,
  type ReadTransaction,
  selectEvent,
  selectReadEnd,
  selectReading,
  selectStream,
  selectStreamEnd,
  type NumberedEvent,
} from '../../kernel/log/index.ts';
import { notFound } from '../../lib/rejection.ts';
import { requireActivePlaybook, requirePlaybook } from '../playbooks/index.ts';
import type { PublishedEvent } from './cloud-event/index.ts';
import { isOwnType, type ReadPage, selectOwnType } from './own-types.ts';
import type { Publishing } from './publish.ts';
import { showEvent } from './show.ts';
import { followEvents } from './follow.ts';

/** An event of a list, with its position there. */
export interface ShownEvent {
  event: EventRecord;
  position: number;
}

export interface HistoryPage {
  order: 'asc' | 'desc';
  after: number | undefined;
  limit: number;
}

export interface Events {
  /** Records an event once; for the same event again, it returns the result of the first. @throws Refused `conflict` */
  publish(playbookKey: PlaybookKey, event: PublishedEvent, by: string, traceId: string): Promise<Published>;
  /** A page of the recorded events; of an own type of published events, it may end before `limit`, at `searchedTo`. */
  list(playbookKey: PlaybookKey, page: ReadingPage): Promise<{ events: ShownEvent[]; searchedTo?: number }>;
  /** One event with every field in full; a large one is a `JsonText`. */
  get(playbookKey: PlaybookKey, id: string): Promise<EventRecord>;
  /** @throws Refused `not_found` for a run that the playbook lacks */
  history(playbookKey: PlaybookKey, runId: string, page: HistoryPage): Promise<ShownEvent[]>;
  /** What is recorded after the event of that id, or from now on. */
  follow(playbookKey: PlaybookKey, after: string | undefined, signal: AbortSignal): Promise<AsyncIterable<EventRecord>>;
}

export function createEvents(log: EventLog, publishing: Publishing): Events {
  async function positionOf(tx: ReadTransaction, playbookKey: PlaybookKey, after: string | undefined): Promise<number> {
    if (after === undefined) return selectReadEnd(tx, playbookKey);
    return Number((await requireEvent(tx, playbookKey, after)).readPosition);
  }

  return {
    publish: (playbookKey, given, by, traceId) =>
      log.write(playbookKey, async (tx) => {
        await requireActivePlaybook(tx, playbookKey);
        return publishing.publishIn(tx, playbookKey, given, { metadata: { by }, traceId });
      }),
    list: (playbookKey, page) =>
      log.read(async (tx) => {
        await requirePlaybook(tx, playbookKey);
        const { events, searchedTo }: ReadPage =
          page.type !== undefined && isOwnType(page.type)
            ? await selectOwnType(tx, playbookKey, page)
            : { events: await selectReading(tx, playbookKey, page) };
        const listed = events.map((event) => ({ event: showEvent(event), position: Number(event.readPosition) }));
        return { events: listed, ...(searchedTo === undefined ? {} : { searchedTo }) };
      }),
    get: (playbookKey, id) =>
      log.read(async (tx) => {
        await requirePlaybook(tx, playbookKey);
        const event = await requireEvent(tx, playbookKey, id);
        const whole: JsonObject = { ...event.data };
        for (const name of Object.keys(event.kept)) {
          // Written as it is, whatever its class.
          whole[name] = ((await readMemberToShow(tx, event, name)) ?? null) as Json;
        }
        return showEvent({ ...event, data: whole, kept: {} }, { full: true });
      }),
    history: (playbookKey, runId, page) =>
      log.read(async (tx) => {
        await requirePlaybook(tx, playbookKey);
        const stream = `run-${runId.toLowerCase()}`;
        const events = await selectStream(tx, playbookKey, { stream, ...page });
        const isKnown = events.length > 0 || (await selectStreamEnd(tx, playbookKey, stream)) > 0;
        if (!isKnown) throw notFound(`The playbook ${playbookKey.playbook} has no run ${runId}.`);
        return events.map((event) => ({ event: showEvent(event), position: event.position }));
      }),
    async follow(playbookKey, after, signal) {
      const start = await log.read(async (tx) => {
        await requirePlaybook(tx, playbookKey);
        return positionOf(tx, playbookKey, after);
      });
      return shown(followEvents(log, playbookKey, { after: start }, signal));
    },
  };
}

async function* shown(pages: AsyncIterable<readonly NumberedEvent[]>): AsyncGenerator<EventRecord> {
  for await (const page of pages) for (const event of page) yield showEvent(event);
}

async function requireEvent(tx: ReadTransaction, playbookKey: PlaybookKey, id: string): Promise<NumberedEvent> {
  const event = await selectEvent(tx, playbookKey, id);
  if (event !== undefined) return event;
  throw notFound(
    `The playbook ${playbookKey.playbook} has no event ${id.slice(0, 100)}; list_playbook_events shows its events.`,
  );
}
