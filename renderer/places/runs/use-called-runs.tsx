import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { calledRunsQuery } from '../../api/queries.ts';
import { historyKey } from '../../ui/scroll-position.ts';
import { type CalledRuns, runIdOfKey } from './run-rows.ts';

const NONE: ReadonlySet<string> = new Set();

/** The rows that were open, by the entry of the browser history and the list: going back opens them again. */
const kept = new Map<string, ReadonlySet<string>>();

interface OpenRuns {
  /** The keys of the rows that are open. */
  opened: ReadonlySet<string>;
  toggle: (key: string) => void;
  /** By the id of the calling run; absent until they are read. */
  called: ReadonlyMap<string, CalledRuns>;
  /** Read the called runs of the rows that are open; they show nothing. */
  readers: ReactNode;
}

/** The rows of a list of runs that are open, and the runs that these called. A list with other filters has none. */
export function useCalledRuns(playbook: string, list: string): OpenRuns {
  const [state, setState] = useState(() => ({ list, opened: kept.get(historyKey(list)) ?? NONE }));
  const opened = state.list === list ? state.opened : NONE;
  const [called, setCalled] = useState<ReadonlyMap<string, CalledRuns>>(new Map());
  const toggle = useCallback(
    (key: string) => {
      const next = new Set(opened);
      if (!next.delete(key)) next.add(key);
      kept.set(historyKey(list), next);
      setState({ list, opened: next });
    },
    [list, opened],
  );
  const onRead = useCallback(
    (runId: string, runs: CalledRuns) => setCalled((earlier) => new Map(earlier).set(runId, runs)),
    [],
  );
  const callers = [...new Set([...opened].map(runIdOfKey))];
  const readers = callers.map((runId) => <Reader key={runId} playbook={playbook} runId={runId} onRead={onRead} />);
  return { opened, toggle, called, readers };
}

interface ReaderProps {
  playbook: string;
  runId: string;
  onRead: (runId: string, runs: CalledRuns) => void;
}

/** A component for each run, since a component cannot have a varying number of paged queries. */
function Reader({ playbook, runId, onRead }: ReaderProps) {
  const { data, error, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery(calledRunsQuery(playbook, runId));
  const called = useMemo(
    () =>
      data === undefined && error === null
        ? undefined
        : {
            runs: data?.pages.flatMap((page) => page.runs) ?? [],
            hasMore: hasNextPage,
            isFetching,
            error,
            showMore: () => void fetchNextPage(),
          },
    [data, error, isFetching, hasNextPage, fetchNextPage],
  );
  useEffect(() => {
    if (called !== undefined) onRead(runId, called);
  }, [called, runId, onRead]);
  return null;
}
