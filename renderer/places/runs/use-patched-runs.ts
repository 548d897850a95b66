import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isRunEnding, RUN_ENDINGS } from '../../../shared/run-endings.ts';
import type { RunListEntry } from '../../../shared/schemas/index.ts';
import { useLiveEvents } from '../../app/live.tsx';
import type { RunPage } from '../../api/operations.ts';

/** Milliseconds: endings that come in together are written together. */
const GATHER = 100;

/** Writes endings into the lists that are loaded, so that a row tells the truth wherever the list is scrolled to. */
export function usePatchedRuns(playbook: string): void {
  const client = useQueryClient();
  const endings = useRef(new Map<string, Partial<RunListEntry>>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const write = (): void => {
    timer.current = undefined;
    const ended = endings.current;
    endings.current = new Map();
    client.setQueriesData<InfiniteData<RunPage>>(
      { queryKey: [playbook, 'runs'], predicate: ({ queryKey }) => queryKey[2] !== 'latest' },
      (list) => list && patchedList(list, ended),
    );
  };
  useLiveEvents(({ type, data, metadata }) => {
    if (!isRunEnding(type) || metadata.run_id === undefined) return;
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

/** The page itself where none of its runs ended, so that nothing of it is drawn again. */
function patched(page: RunPage, ended: ReadonlyMap<string, Partial<RunListEntry>>): RunPage {
  if (!page.runs.some(({ run_id }) => ended.has(run_id))) return page;
  return {
    ...page,
    runs: page.runs.map((run) => (ended.has(run.run_id) ? { ...run, ...ended.get(run.run_id) } : run)),
  };
}
