// Reads what explains a run: its own events, and those of the runs below it.
import { isRunEnding } from '../../../shared/run-status.ts';
import type { Clock } from '../../lib/clock.ts';
import {
  type EventLog,
  type PlaybookKey,
  type ReadTransaction,
  selectEvent,
  selectReading,
  selectStream,
  type StoredEvent,
} from '../../kernel/log/index.ts';
import { requirePlaybook } from '../playbooks/index.ts';
import { requireRun, type RunRow, streamOf } from '../runs/index.ts';
import { fitLines } from './bound.ts';
import { isReadWhole, type StoryLine, tellRun } from './story.ts';

export interface Explanation {
  run_id: string;
  lines: StoryLine[];
  /** The number of lines that did not fit; of a long run, at least. */
  left_out: number;
}

export interface Explanations {
  /** @throws Refused `not_found` */
  explain(playbookKey: PlaybookKey, runId: string): Promise<Explanation>;
}

/** Events that are read, so that a long run costs no more than a short one: lines between them are left out anyway. */
const MOST_FIRST = 300;
const MOST_NEWEST = 100;
const MOST_BELOW = 400;

export function createExplanations(log: EventLog, clock: Clock): Explanations {
  return {
    explain: (playbookKey, runId) =>
      log.read(async (tx) => {
        await requirePlaybook(tx, playbookKey);
        const run = await requireRun(tx, playbookKey, runId);
        const events = await eventsBelow(tx, run);
        const own = events.filter(({ metadata }) => metadata.run_id === run.run_id);
        return { run_id: run.run_id, ...fitLines(tellRun(events, run.run_id, clock.now()), isReadWhole(own)) };
      }),
  };
}

async function eventsBelow(tx: ReadTransaction, run: RunRow): Promise<StoredEvent[]> {
  const own = { stream: streamOf(run.run_id), after: undefined };
  const read = [
    ...(await selectStream(tx, run, { ...own, order: 'asc', limit: MOST_FIRST })),
    ...(await selectStream(tx, run, { ...own, order: 'desc', limit: MOST_NEWEST })),
    ...(await selectReading(tx, run, {
      tree: run.top_run_id,
      order: 'asc',
      after: Number(run.started_position) - 1,
      limit: MOST_BELOW,
    })),
  ];
  const byId = new Map([...read, ...(await unreadEndings(tx, run, read))].map((event) => [event.id, event]));
  const ordered = [...byId.values()].toSorted((one, other) => Number(one.readPosition) - Number(other.readPosition));
  const below = new Set([run.run_id]);
  return ordered.filter(({ metadata }) => {
    if (metadata.run_id === undefined) return false;
    if (metadata.called_by !== undefined && below.has(metadata.called_by.run_id)) below.add(metadata.run_id);
    return below.has(metadata.run_id);
  });
}

/** The endings of runs whose starts were read and whose endings come later than what was read. */
async function unreadEndings(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  read: readonly StoredEvent[],
): Promise<StoredEvent[]> {
  const ids = (isSought: (event: StoredEvent) => boolean) =>
    new Set(read.filter(isSought).map(({ metadata }) => metadata.run_id ?? ''));
  const ended = ids(({ type }) => isRunEnding(type));
  const found: StoredEvent[] = [];
  for (const id of ids(({ type }) => type === 'run_started')) {
    if (ended.has(id)) continue;
    const { ended_event_id: eventId } = await requireRun(tx, playbookKey, id);
    const ending = eventId === null ? undefined : await selectEvent(tx, playbookKey, eventId);
    if (ending !== undefined) found.push(ending);
  }
  return found;
}
