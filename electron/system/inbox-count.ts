// How many questions wait for an answer, over all playbooks, by what the server's HTTP API says: the lists are read when
// something was recorded that can change them.
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

/** What opens or closes a request. */
const CHANGES = ['interaction_requested', 'request_answered', ...Object.keys(RUN_ENDINGS)];
const GATHER_MS = 300;
/** Playbooks come and go, and streams break: all is looked at anew. */
const AGAIN_MS = 30_000;
const PAGE = 100;

interface Counted {
  open: number;
  isMore: boolean;
  newest: string;
}

/** Counts until the answered function is called. */
export function countInbox({ address, onCount, after }: InboxCountOptions): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const counts = new Map<string, Counted>();
  const followed = new Set<string>();
  const planned = new Set<string>();
  let takeBack: () => void = () => {};

  async function read<Name extends AnsweringOperation>(name: Name, input: Input<Name>): Promise<Answer<Name>> {
    const response = await fetch(`${address}${requestOf(name, input).path}`, { signal });
    if (!response.ok) throw new Error(`The server answered ${response.status}.`);
    return (await response.json()) as Answer<Name>;
  }

  async function count(playbook: string): Promise<void> {
    const { interactions, has_more: isMore } = await read('list_interactions', { playbook, limit: PAGE });
    const questions = interactions.filter(({ takes_answer: takesAnswer }) => takesAnswer);
    counts.set(playbook, { open: questions.length, isMore, newest: questions[0]?.requested_at ?? '' });
  }

  function tell(): void {
    if (signal.aborted) return;
    const known = [...counts.values()];
    const [newest] = [...counts]
      .filter(([, { open }]) => open > 0)
      .toSorted(([, a], [, b]) => (a.newest < b.newest ? 1 : -1));
    const open = known.reduce((sum, one) => sum + one.open, 0);
    onCount({ open, isMore: known.some((one) => one.isMore) }, newest?.[0]);
  }

  /** Ends with the stream: the next look at all playbooks begins it anew. */
  async function follow(playbook: string): Promise<void> {
    if (followed.has(playbook)) return;
    followed.add(playbook);
    try {
      const { body, ok } = await fetch(`${address}${requestOf('follow_events', { playbook }).path}`, { signal });
      if (!ok || body === null) return;
      const events = readEventStream<StreamedEvent<'follow_events'>>(body.pipeThrough(new TextDecoderStream()));
      for await (const { type } of events) {
        if (CHANGES.includes(type)) soon(playbook);
      }
    } catch {
    } finally {
      followed.delete(playbook);
    }
  }

  /** What many events change is read once. */
  function soon(playbook: string): void {
    if (planned.has(playbook)) return;
    planned.add(playbook);
    after(GATHER_MS, () => {
      planned.delete(playbook);
      if (!signal.aborted) void count(playbook).then(tell, () => {});
    });
  }

  async function look(): Promise<void> {
    try {
      const { playbooks } = await read('list_playbooks', {});
      const ids = new Set(playbooks.map(({ id }) => id));
      for (const id of counts.keys()) if (!ids.has(id)) counts.delete(id);
      // Followed first: what is recorded during the count is seen.
      for (const id of ids) void follow(id);
      await Promise.all([...ids].map(count));
      tell();
    } catch {
      if (!signal.aborted) onCount(undefined, undefined);
    }
    if (!signal.aborted) takeBack = after(AGAIN_MS, () => void look());
  }

  void look();
  return () => {
    ending.abort();
    takeBack();
  };
}
