import { type InfiniteData, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { EventRecord } from '../../shared/schemas/index.ts';
import { useLiveEvents } from './live.tsx';

/** Milliseconds: what comes in together is read together. */
const GATHER = 250;

export interface FreshEntries {
  /** How many entries came in while the list was scrolled. */
  fresh: number;
  showFresh: () => void;
  setAtTop: (isAtTop: boolean) => void;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Keeps the beginning of a paged list up to date: at once while it is not scrolled, and on asking while it is, so that
 * nothing moves under a reader's eyes.
 * @param listed the keys of the entries that were read; an event may tell later of one that is among them
 * @param keyOf the key of the entry that an event puts into the list; undefined where it puts none there
 */
export function useFreshEntries(
  queryKey: QueryKey,
  listed: () => readonly string[],
  keyOf: (event: EventRecord) => string | undefined,
): FreshEntries {
  const client = useQueryClient();
  const [came, setCame] = useState(NONE);
  const fresh = came.size === 0 ? 0 : countOthers(came, new Set(listed()));
  const isAtTop = useRef(true);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const key = useRef(queryKey);
  useEffect(() => {
    key.current = queryKey;
  });

  const showFresh = useCallback(() => {
    timer.current = undefined;
    setCame(NONE);
    // Pages further down would be read again one after the other, and are not seen.
    client.setQueryData<InfiniteData<unknown>>(
      key.current,
      (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    );
    void client.invalidateQueries({ queryKey: key.current, exact: true });
  }, [client]);
  useEffect(() => () => clearTimeout(timer.current), []);

  useLiveEvents((event) => {
    const entry = keyOf(event);
    if (entry === undefined) return;
    if (isAtTop.current) timer.current ??= setTimeout(showFresh, GATHER);
    else setCame((earlier) => new Set(earlier).add(entry));
  });
  return {
    fresh,
    showFresh,
    setAtTop(now) {
      isAtTop.current = now;
      if (now && fresh > 0) showFresh();
    },
  };
}

function countOthers(keys: Iterable<string>, listed: ReadonlySet<string>): number {
  let count = 0;
  for (const key of keys) if (!listed.has(key)) count += 1;
  return count;
}
