import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { EventRecord, InteractionRequest, RunWithRecord } from '../../../shared/schemas/index.ts';
import { getRun, getRunHistory, listEvents, listInteractions, listRuns } from '../../api/operations.ts';
import { eventQuery } from '../../api/queries.ts';
import { isFor } from './parties.ts';
import type { Notice } from './read-marks.ts';
import { type Story, storyOf } from './story.ts';

const PAGE = 100;
/** Of what is read one by one for a page of a list. */
const SHORT_PAGE = 40;

/** Where the reading of one party's requests goes on; without a party, of everyone's. */
interface From {
  to?: string;
  cursor?: string;
}
interface OpenPage {
  requests: InteractionRequest[];
  next: From[];
}

/** The open questions to some parties, the newest first; notices that are on their way stand with the notices. */
async function readOpen(playbook: string, from: readonly From[], signal: AbortSignal): Promise<OpenPage> {
  const pages = await Promise.all(
    from.map(async ({ to, cursor }) => ({
      to,
      page: await listInteractions(playbook, { to, cursor, limit: PAGE }, signal),
    })),
  );
  return {
    requests: newestFirst(pages.flatMap(({ page }) => page.interactions).filter((one) => one.takes_answer)),
    next: pages.flatMap(({ to, page: { next_cursor: cursor } }) =>
      cursor === null ? [] : [{ ...(to !== undefined && { to }), cursor }],
    ),
  };
}

export function newestFirst(requests: readonly InteractionRequest[]): InteractionRequest[] {
  return requests.toSorted((a, b) => b.requested_at.localeCompare(a.requested_at));
}

const beginning = (parties: readonly string[]): From[] => (parties.length === 0 ? [{}] : parties.map((to) => ({ to })));

/** The newest open questions, and whether there are more. Events keep it up to date. */
export function waitingQuery(playbook: string, parties: readonly string[]) {
  return queryOptions({
    queryKey: [playbook, 'waiting', parties],
    queryFn: async ({ signal }) => {
      const { requests, next } = await readOpen(playbook, beginning(parties), signal);
      return { requests, hasMore: next.length > 0 };
    },
  });
}

export function openRequestsQuery(playbook: string, parties: readonly string[]) {
  return infiniteQueryOptions({
    queryKey: [playbook, 'requests', 'open', parties],
    initialPageParam: beginning(parties),
    queryFn: ({ signal, pageParam }) => readOpen(playbook, pageParam, signal),
    getNextPageParam: ({ next }) => (next.length === 0 ? undefined : next),
    // Nothing keeps a list up to date while another is shown.
    staleTime: 0,
  });
}

/** One entry of the lists of what was answered and of notices. */
export interface Told {
  event: EventRecord;
  to: string | undefined;
  message: string | undefined;
}

interface ToldPage {
  entries: Told[];
  next: string | null;
}

/** What was answered, the last answer first. */
export function answeredQuery(playbook: string, parties: readonly string[]) {
  return toldQuery(playbook, 'answered', 'request_answered', parties, async (client, event) => {
    const { record } = await client.fetchQuery(endedRunQuery(playbook, event.metadata.run_id ?? '', 'answered'));
    return { event, to: textOf(record['to']), message: textOf(record['message']) };
  });
}

/** What parties were told, the newest first. */
export function noticesQuery(playbook: string, parties: readonly string[]) {
  return toldQuery(playbook, 'notices', 'interaction_requested', parties, async (client, event) => {
    if (event.data['takes_answer'] === true) return undefined;
    const { data } = await client.fetchQuery(eventQuery(playbook, event.id));
    return { event, to: textOf(data['to']), message: textOf(data['message']) };
  });
}

function toldQuery(
  playbook: string,
  list: 'answered' | 'notices',
  type: string,
  parties: readonly string[],
  tell: (client: QueryClient, event: EventRecord) => Promise<Told | undefined>,
) {
  return infiniteQueryOptions({
    queryKey: [playbook, 'requests', list, parties],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ client, signal, pageParam }): Promise<ToldPage> => {
      const page = await listEvents(playbook, { type, limit: SHORT_PAGE, cursor: pageParam }, signal);
      const entries = await Promise.all(page.events.map((event) => tell(client, event)));
      return {
        entries: entries.filter((entry) => entry !== undefined && isFor(parties, entry.to)) as Told[],
        next: page.next_cursor,
      };
    },
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
  });
}

/** A question that ended without an answer: nobody gave one in time, its run was cancelled, or it was never delivered. */
export interface Unanswered {
  run: RunWithRecord;
  to: string | undefined;
  message: string | undefined;
}

/** The questions that ended without an answer, the one asked last first. */
export function unansweredQuery(playbook: string, parties: readonly string[]) {
  return infiniteQueryOptions({
    queryKey: [playbook, 'requests', 'unanswered', parties],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ client, signal, pageParam }): Promise<{ entries: Unanswered[]; next: string | null }> => {
      const filters = { type: 'interaction', status: 'rejected', limit: SHORT_PAGE, cursor: pageParam } as const;
      const page = await listRuns(playbook, filters, signal);
      const runs = await Promise.all(
        page.runs.map(({ run_id: runId, attempt }) => client.fetchQuery(endedRunQuery(playbook, runId, attempt))),
      );
      const entries = runs
        .filter(({ record }) => record['takes_answer'] === true && isFor(parties, record['to']))
        .map((run) => ({ run, to: textOf(run.record['to']), message: textOf(run.record['message']) }));
      return { entries, next: page.next_cursor };
    },
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchOnMount: 'always',
  });
}

/** The newest notices to some parties, without what they say, and whether there are more. Events keep it up to date. */
export function newNoticesQuery(playbook: string, parties: readonly string[]) {
  return queryOptions({
    queryKey: [playbook, 'waiting', 'notices', parties],
    queryFn: async ({ signal }): Promise<{ notices: Notice[]; hasMore: boolean }> => {
      const page = await listEvents(playbook, { type: 'interaction_requested', limit: PAGE }, signal);
      return {
        notices: page.events
          .filter(({ data }) => data['takes_answer'] === false && isFor(parties, data['to']))
          .map(({ metadata }) => ({ runId: metadata.run_id ?? '', at: metadata.at })),
        hasMore: page.has_more,
      };
    },
  });
}

/** A run that ended; the same attempt does not change any more. */
function endedRunQuery(playbook: string, runId: string, attempt: number | 'answered') {
  return queryOptions({
    queryKey: ['ended', playbook, runId, attempt],
    queryFn: ({ signal }) => getRun(playbook, runId, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export interface OneRequest {
  run: RunWithRecord;
  /** The event that started the run, with its whole input. */
  started: EventRecord | undefined;
  /** Undefined for a run that asked and told nobody. Its events are whole. */
  story: Story | undefined;
}

export function requestQuery(playbook: string, runId: string) {
  return queryOptions({
    // Under the run's own key: whatever is recorded of the run makes it stale.
    queryKey: [playbook, 'run', runId, 'request'],
    queryFn: async ({ client, signal }): Promise<OneRequest> => {
      const [run, events] = await Promise.all([getRun(playbook, runId, signal), readHistory(playbook, runId, signal)]);
      const whole = async <Event extends EventRecord | undefined>(event: Event) =>
        event === undefined ? event : ((await client.fetchQuery(eventQuery(playbook, event.id))) as Event);
      const story = storyOf(events);
      const startedBefore = story === undefined ? events : events.slice(0, events.indexOf(story.requested));
      const [started, requested, answered] = await Promise.all([
        whole(startedBefore.findLast(({ type }) => type === 'run_started')),
        whole(story?.requested),
        whole(story?.answered),
      ]);
      return {
        run,
        started,
        story: story === undefined || requested === undefined ? undefined : { ...story, requested, answered },
      };
    },
  });
}

async function readHistory(playbook: string, runId: string, signal: AbortSignal): Promise<EventRecord[]> {
  const events: EventRecord[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await getRunHistory(playbook, runId, { limit: PAGE, cursor }, signal);
    events.push(...page.events);
    if (page.next_cursor === null) return events;
    cursor = page.next_cursor;
  }
}
