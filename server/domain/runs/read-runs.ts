// Reads runs: one by its id, and lists of them.
import type { RunListEntry, RunWithRecord } from '../../../shared/schemas/index.ts';
import type { EventLog, PlaybookKey } from '../../kernel/log/index.ts';
import { inOrder } from '../../lib/in-order.ts';
import { requirePublishedEvent } from '../events/index.ts';
import { requirePlaybook } from '../playbooks/index.ts';
import type { WithAwaited } from './durable/waits-for.ts';
import { findRuns, type RunFilter } from './finding/index.ts';
import { presentEntry, presentRun, requireRun } from './history/present.ts';

/** `event`: the id of the record of an event or, with its source, the event's own id. */
export type ListedRuns = RunFilter & { eventSource?: string | undefined };

export interface RunList {
  entries: RunListEntry[];
  /** The position that the next page follows; undefined if there is none. */
  end: number | undefined;
  /** When the oldest run started that was looked at, for a search that stopped before the page was full. */
  searchedTo?: string;
}

export interface ReadRunsOptions {
  log: EventLog;
  withAwaited: WithAwaited;
}

export function readRun(
  { log, withAwaited }: ReadRunsOptions,
  playbookKey: PlaybookKey,
  runId: string,
): Promise<RunWithRecord> {
  return log.read(async (tx) => {
    const row = await inOrder(requirePlaybook(tx, playbookKey), requireRun(tx, playbookKey, runId));
    return withAwaited.stored(tx, row, await presentRun(tx, row));
  });
}

/** Newest first. @param after the position that the last page ended with */
export function listRuns(
  { log, withAwaited }: ReadRunsOptions,
  playbookKey: PlaybookKey,
  { event, eventSource, ...filter }: ListedRuns,
  after: number | undefined,
  limit: number,
): Promise<RunList> {
  return log.read(async (tx) => {
    await requirePlaybook(tx, playbookKey);
    const started =
      event === undefined ? {} : { event: await requirePublishedEvent(tx, playbookKey, event, eventSource) };
    const { rows, last, isBounded } = await findRuns(tx, playbookKey, { ...filter, ...started }, after, limit);
    const entries: RunListEntry[] = [];
    for (const row of rows) entries.push(await withAwaited.stored(tx, row, await presentEntry(tx, row)));
    const searched = last !== undefined && isBounded ? { searchedTo: last.startedAt } : {};
    return { entries, end: last?.position, ...searched };
  });
}
