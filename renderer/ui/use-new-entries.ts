import { hashKey, type InfiniteData, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { EventRecord } from '../../shared/api/index.ts';
import { savedOffset, TOP } from './scroll-position.ts';
import { useLiveEvents } from '../api/live.tsx';

/** Milliseconds. Entries that arrive together are read together. */
const BATCH_DELAY = 250;

export interface NewEntries {
  /** Identifies the list. */
  list: string;
  /** How many entries arrived while the list was scrolled. */
  newCount: number;
  showNew: () => void;
  setAtTop: (isAtTop: boolean) => void;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Keeps the start of a paged list up to date: immediately while the list is at its top, and on request while it is
 * scrolled, so that nothing moves under the reader's eyes. A list with another key starts at its top. Going back to a list
 * restores its pages and scroll position.
 * @param listed the keys of the entries that have been read; their events may arrive later
 * @param keyOf the key of the entry that an event adds to the list; undefined if it adds none
 * @param isHeld whether the list waits for the request at its top too, because the person is selecting entries
 */
export function useNewEntries(
  queryKey: QueryKey,
  listed: () => readonly string[],
  keyOf: (event: EventRecord) => string | undefined,
  isHeld = false,
): NewEntries {
  const client = useQueryClient();
  const list = hashKey(queryKey);
  const [arrived, setArrived] = useState({ list, entries: NONE });
  const entries = arrived.list === list ? arrived.entries : NONE;
  const newCount = entries.size === 0 ? 0 : countOthers(entries, new Set(listed()));
  const isAtTop = useRef(true);
  const held = useRef(isHeld);
  const batch = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const showNew = (): void => {
    setArrived({ list, entries: NONE });
    keepFirstPage(client, queryKey);
    void endPendingFetch(client, queryKey).then(() => client.invalidateQueries({ queryKey, exact: true }));
  };
  const latest = useRef(showNew);
  useEffect(() => {
    latest.current = showNew;
    held.current = isHeld;
  });
  useEffect(() => {
    if (!isHeld && isAtTop.current && newCount > 0) latest.current();
  }, [isHeld, newCount]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      batch.current.clear();
    },
    [list],
  );
  // Before the list is refetched: further pages are kept only when the person comes back to them.
  useLayoutEffect(() => {
    isAtTop.current = savedOffset(list) < TOP;
    if (isAtTop.current) keepFirstPage(client, JSON.parse(list) as QueryKey);
  }, [client, list]);

  useLiveEvents((event) => {
    const entry = keyOf(event);
    if (entry === undefined) return;
    batch.current.add(entry);
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const more = batch.current;
      batch.current = new Set();
      // The person may have scrolled in the meantime.
      if (isAtTop.current && !held.current) latest.current();
      else
        setArrived((earlier) => ({
          list,
          entries: new Set([...(earlier.list === list ? earlier.entries : []), ...more]),
        }));
    }, BATCH_DELAY);
  });
  return {
    list,
    newCount,
    showNew,
    setAtTop(now) {
      isAtTop.current = now;
      if (now && newCount > 0 && !isHeld) showNew();
    },
  };
}

/**
 * Cancels a refetch that is in progress, since its response may lack the newest entry. The first fetch is awaited
 * instead.
 */
async function endPendingFetch(client: QueryClient, queryKey: QueryKey): Promise<unknown> {
  const query = client.getQueryCache().find({ queryKey, exact: true });
  if (query?.state.data !== undefined) return query.cancel();
  return query?.promise?.catch(() => undefined);
}

/** Further pages are not visible, and would be refetched one after the other. */
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
