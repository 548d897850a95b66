import { type InfiniteData, type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isRunEnding, RUN_ENDINGS } from '../../../shared/run-status.ts';
import type { Answer, RunListEntry } from '../../../shared/api/index.ts';
import { useLiveEvents } from '../../api/live.tsx';
import { call } from '../../api/call.ts';
import { isRunMove } from '../../api/queries.ts';

type RunPage = Answer<'list_runs'>;

/** Milliseconds. Endings that arrive together are applied together. */
const GATHER = 100;
/** Milliseconds until runs that moved are read again, and how many at a time. */
const READ_AGAIN = 500;
const MOST_READ = 20;

/**
 * Keeps the loaded lists up to date at any scroll position: applies endings, and what moved runs are waiting for now.
 */
export function usePatchedRuns(playbook: string): void {
  const client = useQueryClient();
  const endings = useRef(new Map<string, Partial<RunListEntry>>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const moved = useRef(new Set<string>());
  const reading = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      clearTimeout(reading.current);
    },
    [],
  );

  const lists = { queryKey: [playbook, 'runs'], predicate: ({ queryKey }: Query) => queryKey[2] !== 'latest' };
  const patch = (changed: ReadonlyMap<string, Partial<RunListEntry>>): void => {
    client.setQueriesData<InfiniteData<RunPage>>(lists, (list) => list && patchedList(list, changed));
  };
  const write = (): void => {
    timer.current = undefined;
    const ended = endings.current;
    endings.current = new Map();
    patch(ended);
  };
  const readMoved = async (): Promise<void> => {
    const pages = client.getQueriesData<InfiniteData<RunPage>>(lists).flatMap(([, list]) => list?.pages ?? []);
    const listed = new Set(pages.flatMap(({ runs }) => runs.map(({ run_id }) => run_id)));
    const due = [...moved.current].filter((runId) => listed.has(runId));
    moved.current = new Set(due.slice(MOST_READ));
    const runs = await Promise.allSettled(
      due.slice(0, MOST_READ).map((runId) => call('get_run', { playbook, run_id: runId })),
    );
    const read = runs.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    patch(new Map(read.map(({ run_id, waits_for }) => [run_id, { waits_for: waits_for ?? [] }])));
    reading.current = moved.current.size === 0 ? undefined : setTimeout(() => void readMoved(), READ_AGAIN);
  };
  useLiveEvents(({ type, data, metadata }) => {
    if (metadata.run_id === undefined) return;
    if (isRunMove(type)) {
      moved.current.add(metadata.run_id);
      reading.current ??= setTimeout(() => void readMoved(), READ_AGAIN);
    }
    if (!isRunEnding(type)) return;
    const rejection = data['rejection'] as Pick<RunListEntry, 'reason' | 'kind' | 'because'> | undefined;
    endings.current.set(metadata.run_id, { status: RUN_ENDINGS[type], ended_at: metadata.at, ...rejection });
    timer.current ??= setTimeout(write, GATHER);
  });
}

function patchedList(
  list: InfiniteData<RunPage>,
  ended: ReadonlyMap<string, Partial<RunListEntry>>,
): InfiniteData<RunPage> {
  const pages = list.pages.map((page) => patched(page, ended));
  return pages.every((page, index) => page === list.pages[index]) ? list : { ...list, pages };
}

/** Returns the same object if none of its runs changed, so that nothing is rendered again. */
function patched(page: RunPage, ended: ReadonlyMap<string, Partial<RunListEntry>>): RunPage {
  if (!page.runs.some(({ run_id }) => ended.has(run_id))) return page;
  return {
    ...page,
    runs: page.runs.map((run) => (ended.has(run.run_id) ? { ...run, ...ended.get(run.run_id) } : run)),
  };
}
