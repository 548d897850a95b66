import Type from 'typebox';
import { flag, object, oneOf, optional, orNull, text } from '../../../shared/schemas/fields.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { EventSchema, PublishedSchema } from '../../../shared/schemas/index.ts';
import {
  defineOperation,
  defineStream,
  type Operation,
  PAGE_FIELDS,
  pageEnd,
  pageOf,
  pageRequest,
  type StreamedEvent,
} from '../../operations/index.ts';
import type { Playbooks } from '../playbooks/index.ts';
import { checkPublishedEvent, type PublishedEvent } from './cloud-event/index.ts';
import { compactPage } from './compact-page.ts';
import type { Events } from './events.ts';
import { isOwnType } from './own-types.ts';
import { requestedTime } from './recorded-time.ts';

export { checkPublishedEvent, checkRunEvent, type PublishedEvent } from './cloud-event/index.ts';
export { compactRecord } from './compact-page.ts';
export { createEvents, type Events } from './events.ts';
export { followEvents } from './follow.ts';
export { createPublishing, EventIdTaken, type Publishing, readPublished, requirePublishedEvent } from './publish.ts';
export { readIsoTime } from './iso-time.ts';
export { recordedTime, requestedTime } from './recorded-time.ts';
export { summaryOf } from './summary.ts';
export { subscribe, subscriptionMigrations, unsubscribe } from './subscriptions.ts';

const PLAYBOOK = text("The playbook's id.");
const PATH = Type.Object({ playbook: PLAYBOOK });
const TAG = 'Events';
const READING = {
  permissions: ['playbook:read'],
  method: 'GET',
  problems: ['not_found'],
  hints: { readOnly: true, destructive: false, idempotent: true },
} as const;

const PAGE_END = {
  has_more: flag('Whether there are more pages.'),
  next_cursor: orNull('The cursor of the next page.', Type.String()),
};
const EVENTS_PAGE = object({ events: Type.Array(EventSchema), ...PAGE_END });

export function eventOperations(events: Events, playbooks: Playbooks): Operation[] {
  return [publishingOperation(events, playbooks), listOperation(events), ...readingOperations(events)];
}

function publishingOperation(events: Events, playbooks: Playbooks): Operation {
  return defineOperation({
    name: 'publish_event',
    tag: TAG,
    title: 'Publish an event',
    description:
      'Use to tell a playbook that something happened. The event starts the workflows whose trigger matches it, and reaches runs that listen for it; `reached` names them. The same `source` and `id` again records nothing; a different event with them is `conflict`.',
    permissions: ['playbook:write'],
    method: 'POST',
    route: '/playbooks/{playbook}/events',
    path: PATH,
    fields: object({
      event: Type.Unsafe<JsonObject>({
        type: 'object',
        description: 'A CloudEvent (1.0). Any other attribute is an extension.',
        required: ['source', 'type'],
        properties: {
          source: {
            type: 'string',
            description: 'A URI reference, such as /shop/orders.',
            examples: ['/shop/orders'],
          },
          type: { type: 'string', description: 'Such as order.paid.', examples: ['order.paid'] },
          id: { type: 'string', description: 'Default: generated.' },
          time: { type: 'string', description: 'RFC 3339; default: now.' },
          subject: { type: 'string' },
          specversion: { type: 'string' },
          datacontenttype: { type: 'string' },
          dataschema: { type: 'string', description: 'Absolute URI.' },
          data: { description: 'Any JSON value.' },
        },
        additionalProperties: { type: ['string', 'boolean', 'integer'], minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
      }),
    }),
    checksFields: ({ event }) => checkPublishedEvent(event),
    depths: { '/event/data': LIMITS.eventDataDepth },
    output: PublishedSchema,
    problems: ['not_found', 'conflict', 'unavailable'],
    hints: { readOnly: false, destructive: false, idempotent: true },
    mcp: true,
    forAgents: { nextStep: reachedWords },
    precheck: ({ org }, { playbook }) => playbooks.refuseInactive({ org, playbook }),
    handle: ({ org, caller, traceId }, { playbook, event }) =>
      events.publish({ org, playbook }, event as unknown as PublishedEvent, caller.id, traceId),
  });
}

function listOperation(events: Events): Operation {
  return defineOperation({
    ...READING,
    name: 'list_playbook_events',
    tag: TAG,
    title: 'List the events of a playbook',
    description:
      'Use to see what was recorded: definitions saved, runs started and ended, steps, published events. get_event returns values that are shown here only as their size. Over MCP, `runs` has the metadata that all listed events of a run share.',
    route: '/playbooks/{playbook}/events',
    path: PATH,
    fields: object({
      type: optional(
        text(
          'Such as run_failed; event_published for all published events, or the own type of published events, such as order.paid. A page of an own type may have fewer events than `limit`, or none, although `has_more` is true.',
          { maxLength: LIMITS.eventTypeCharacters },
        ),
      ),
      since: optional(text('ISO 8601 with an offset; in a URL, its + is %2B.', { maxLength: 64 })),
      run_id: optional(text('Only a top-level run and the runs below it.', { maxLength: 64 })),
      order: optional(oneOf('Default: desc, newest first.', ['asc', 'desc'])),
      ...PAGE_FIELDS,
    }),
    output: EVENTS_PAGE,
    mcp: true,
    forAgents: { compact: compactPage, nextStep: noRecords },
    async handle(call, { playbook, type, since, run_id, order = 'desc', ...page }) {
      const request = pageRequest(call, page, `events-${order}`);
      const { events: read, searchedTo } = await events.list(
        { org: call.org, playbook },
        {
          type,
          since: requestedTime('since', since),
          tree: run_id?.toLowerCase(),
          order,
          after: request.after,
          limit: request.limit + 1,
        },
      );
      const list = `events-${order}`;
      const { entries, end } = pageOf(read, request, list, ({ position: index }) => index);
      const shown = entries.map(({ event }) => event);
      return { events: shown, ...(searchedTo === undefined ? end : pageEnd(list, searchedTo)) };
    },
  });
}

function readingOperations(events: Events): Operation[] {
  return [
    defineOperation({
      ...READING,
      name: 'get_event',
      tag: TAG,
      title: 'Get an event in full',
      description: 'Use when a list shows a value only as its size.',
      route: '/playbooks/{playbook}/events/{event_id}',
      path: Type.Object({ playbook: PLAYBOOK, event_id: text("The event's id.") }),
      output: EventSchema,
      mcp: true,
      handle: ({ org }, { playbook, event_id }) => events.get({ org, playbook }, event_id),
    }),
    defineOperation({
      ...READING,
      name: 'get_run_history',
      tag: 'Runs',
      title: "Read a run's history",
      description: 'Returns every event of a run, each after the event that caused it, a page at a time.',
      route: '/playbooks/{playbook}/runs/{run_id}/history',
      path: Type.Object({ playbook: PLAYBOOK, run_id: text("The run's id.") }),
      fields: object({
        order: optional(oneOf('asc (oldest first) is the default.', ['asc', 'desc'])),
        ...PAGE_FIELDS,
      }),
      output: EVENTS_PAGE,
      mcp: false,
      forAgents: { instead: { tool: 'list_playbook_events', how: 'with the run_id of the run at the top' } },
      async handle(call, { playbook, run_id, order = 'asc', ...page }) {
        const request = pageRequest(call, page, `history-${order}`);
        const read = await events.history({ org: call.org, playbook }, run_id, {
          order,
          after: request.after,
          limit: request.limit + 1,
        });
        const { entries, end } = pageOf(read, request, `history-${order}`, ({ position: index }) => index);
        return { events: entries.map(({ event }) => event), ...end };
      },
    }),
    defineStream({
      ...READING,
      name: 'follow_events',
      tag: TAG,
      title: 'Follow the events of a playbook',
      description:
        'A stream of server-sent events: each event of the playbook once, in order, as soon as it is recorded. It begins after the event that `after` or the Last-Event-ID header names, otherwise with the next event.',
      route: '/playbooks/{playbook}/events/follow',
      path: PATH,
      fields: object({
        after: optional(text('The id of the event to continue after.', { maxLength: 100 })),
      }),
      headers: { after: 'last-event-id' },
      eventSchema: EventSchema,
      mcp: false,
      addition: true,
      async handle({ org, signal }, { playbook, after }) {
        return streamed(await events.follow({ org, playbook }, after, signal));
      },
    }),
  ];
}

async function* streamed(events: AsyncIterable<{ id: string }>): AsyncGenerator<StreamedEvent> {
  for await (const event of events) yield { id: event.id, data: event };
}

function reachedWords({ reached, event_id }: JsonObject): string {
  if (!Array.isArray(reached)) {
    return `The event was published before. list_runs with event ${String(event_id)} lists the runs that it started.`;
  }
  return reached.length === 0
    ? `No run that is certain to start or that is in progress receives the event. A trigger may still start one, with other events or because of its data (list_runs with event ${String(event_id)} lists such runs), and recall functions may read it.`
    : 'Read a run with get_run; one that starts exists shortly after this.';
}

/** An empty page may have pages after it, and a type may be misspelt. */
function noRecords({ events, has_more: hasMore }: JsonObject, { type }: JsonObject): string | undefined {
  if (!Array.isArray(events) || events.length > 0 || typeof type !== 'string' || !isOwnType(type)) return;
  return hasMore === true
    ? 'None of the last 1,000 published events has this type; next_cursor searches the ones before.'
    : 'No published event has this type, and the service records none. Check its spelling.';
}
