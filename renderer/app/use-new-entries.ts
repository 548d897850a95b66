import { hashKey, type InfiniteData, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { EventRecord } from '../../shared/api/index.ts';
import { savedOffset, TOP } from '../ui/scroll-position.ts';
import { useLiveEvents } from './live.tsx';

/** Milliseconds: what comes in together is read together. */
const GATHER = 250;

export interface NewEntries {
  /** What distinguishes the list from all others. */
  list: string;
  /** How many entries came in while the list was scrolled. */
  newCount: number;
  showNew: () => void;
  setAtTop: (isAtTop: boolean) => void;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Keeps the beginning of a paged list up to date: at once while it is not scrolled, and on asking while it is, so that
 * nothing moves under a reader's eyes. A list of another key begins at its top, and one that a person comes back to where
 * it was left, with its pages.
 * @param listed the keys of the entries that were read; an event may tell later of one that is among them
 * @param keyOf the key of the entry that an event puts into the list; undefined where it puts none there
 */
export function useNewEntries(
  queryKey: QueryKey,
  listed: () => readonly string[],
  keyOf: (event: EventRecord) => string | undefined,
): NewEntries {
  const client = useQueryClient();
  const list = hashKey(queryKey);
  const [came, setCame] = useState({ list, entries: NONE });
  const entries = came.list === list ? came.entries : NONE;
  const newCount = entries.size === 0 ? 0 : countOthers(entries, new Set(listed()));
  const isAtTop = useRef(true);
  const gathered = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const showNew = (): void => {
    setCame({ list, entries: NONE });
    keepFirstPage(client, queryKey);
    void readingEnds(client, queryKey).then(() => client.invalidateQueries({ queryKey, exact: true }));
  };
  const latest = useRef(showNew);
  useEffect(() => {
    latest.current = showNew;
  });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      gathered.current.clear();
    },
    [list],
  );
  // Before it is read again: pages further down are read only where a person comes back to them.
  useLayoutEffect(() => {
    isAtTop.current = savedOffset(list) < TOP;
    if (isAtTop.current) keepFirstPage(client, JSON.parse(list) as QueryKey);
  }, [client, list]);

  useLiveEvents((event) => {
    const entry = keyOf(event);
    if (entry === undefined) return;
    gathered.current.add(entry);
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const more = gathered.current;
      gathered.current = new Set();
      // The person may have scrolled meanwhile.
      if (isAtTop.current) latest.current();
      else
        setCame((earlier) => ({
          list,
          entries: new Set([...(earlier.list === list ? earlier.entries : []), ...more]),
        }));
    }, GATHER);
  });
  return {
    list,
    newCount,
    showNew,
    setAtTop(now) {
      isAtTop.current = now;
      if (now && newCount > 0) showNew();
    },
  };
}

/** A reading that is under way may have been answered before the newest entry was recorded. The first is let end. */
async function readingEnds(client: QueryClient, queryKey: QueryKey): Promise<unknown> {
  const query = client.getQueryCache().find({ queryKey, exact: true });
  if (query?.state.data !== undefined) return query.cancel();
  return query?.promise?.catch(() => undefined);
}

/** Pages further down would be read again one after the other, and are not seen. */
function keepFirstPage(client: QueryClient, queryKey: QueryKey): void {
  client.setQueryData<InfiniteData<unknown>>(
    queryKey,
    (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
  );
}

function countOthers(keys: Iterable<string>, listed: ReadonlySet<string>): number {
  let count = 0;
  for (const key of keys) if (!listed.has(key)) count += 1;
  return count;
}
