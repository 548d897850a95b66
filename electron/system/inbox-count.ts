// Counts the open requests of all playbooks through the HTTP API. The list of a playbook is read again when an event was
// recorded that can change it.
import {
  type Answer,
  type AnsweringOperation,
  type Input,
  readEventStream,
  requestOf,
  type StreamedEvent,
} from '../../shared/api/index.ts';
import { RUN_ENDINGS } from '../../shared/run-status.ts';
import type { InboxCount } from './tray.ts';

export interface InboxCountOptions {
  address: string;
  /** The count, and the playbook of the newest request. */
  onCount: (count: InboxCount, playbook: string | undefined) => void;
  after: (milliseconds: number, work: () => void) => () => void;
}

/** The events that open or close a request. */
const CHANGES = ['interaction_requested', 'request_answered', ...Object.keys(RUN_ENDINGS)];
const BATCH_DELAY_MS = 300;
/** Interval at which everything is read again, since playbooks are created and retired, and streams break. */
const REFRESH_EVERY_MS = 30_000;
const PAGE = 100;

interface PlaybookCount {
  open: number;
  isMore: boolean;
  newest: string;
}

/** Counts until the returned function is called. */
function countInbox({ address, onCount, after }: InboxCountOptions): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const counts = new Map<string, PlaybookCount>();
  const followed = new Set<string>();
  const planned = new Set<string>();
  let cancelTimer: () => void = () => {};

  async function read<Name extends AnsweringOperation>(name: Name, input: Input<Name>): Promise<Answer<Name>> {
    const response = await fetch(`${address}${requestOf(name, input).path}`, { signal });
    if (!response.ok) throw new Error(`The server responded with ${response.status}.`);
    return (await response.json()) as Answer<Name>;
  }

  async function count(playbook: string): Promise<void> {
    const { interactions, has_more: isMore } = await read('list_interactions', { playbook, limit: PAGE });
    const questions = interactions.filter(({ takes_answer: takesAnswer }) => takesAnswer);
    counts.set(playbook, { open: questions.length, isMore, newest: questions[0]?.requested_at ?? '' });
  }

  function report(): void {
    if (signal.aborted) return;
    const known = [...counts.values()];
    const [newest] = [...counts]
      .filter(([, { open }]) => open > 0)
      .toSorted(([, a], [, b]) => (a.newest < b.newest ? 1 : -1));
    const open = known.reduce((sum, one) => sum + one.open, 0);
    onCount({ open, isMore: known.some((one) => one.isMore) }, newest?.[0]);
  }

  /** Ends with the stream. The next refresh follows the playbook again. */
  async function follow(playbook: string): Promise<void> {
    if (followed.has(playbook)) return;
    followed.add(playbook);
    try {
      const { body, ok } = await fetch(`${address}${requestOf('follow_events', { playbook }).path}`, { signal });
      if (!ok || body === null) return;
      const events = readEventStream<StreamedEvent<'follow_events'>>(body.pipeThrough(new TextDecoderStream()));
      for await (const { type } of events) {
        if (CHANGES.includes(type)) scheduleCount(playbook);
      }
    } catch {
    } finally {
      followed.delete(playbook);
    }
  }

  /** Reads the list once after several events. */
  function scheduleCount(playbook: string): void {
    if (planned.has(playbook)) return;
    planned.add(playbook);
    after(BATCH_DELAY_MS, () => {
      planned.delete(playbook);
      if (!signal.aborted) void count(playbook).then(report, () => {});
    });
  }

  async function refresh(): Promise<void> {
    try {
      const { playbooks } = await read('list_playbooks', {});
      const ids = new Set(playbooks.map(({ id }) => id));
      for (const id of counts.keys()) if (!ids.has(id)) counts.delete(id);
      // Follow before counting, so that no event during the count is missed.
      for (const id of ids) void follow(id);
      await Promise.all([...ids].map(count));
      report();
    } catch {
      if (!signal.aborted) onCount(undefined, undefined);
    }
    if (!signal.aborted) cancelTimer = after(REFRESH_EVERY_MS, () => void refresh());
  }

  void refresh();
  return () => {
    abort.abort();
    cancelTimer();
  };
}

export interface Inbox {
  count: InboxCount;
  /** The inbox with the newest request. */
  page: string | undefined;
  /** Counts at this address from now on. */
  follow: (address: string | undefined) => void;
}

export function createInbox(after: InboxCountOptions['after'], onChange: () => void): Inbox {
  let followed: string | undefined;
  let stop = (): void => {};
  const onCount: InboxCountOptions['onCount'] = (count, playbook) => {
    inbox.count = count;
    inbox.page = playbook === undefined ? undefined : `#/playbooks/${playbook}/inbox`;
    onChange();
  };
  const inbox: Inbox = {
    count: undefined,
    page: undefined,
    follow(address) {
      if (address === followed) return;
      followed = address;
      stop();
      inbox.count = undefined;
      if (address !== undefined) stop = countInbox({ address, onCount, after });
    },
  };
  return inbox;
}
