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

/**
 * Keeps the beginning of a paged list up to date: at once while it is not scrolled, and on asking while it is, so that
 * nothing moves under a reader's eyes.
 * @param isEntry whether an event puts an entry into the list
 */
export function useFreshEntries(queryKey: QueryKey, isEntry: (event: EventRecord) => boolean): FreshEntries {
  const client = useQueryClient();
  const [fresh, setFresh] = useState(0);
  const isAtTop = useRef(true);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const key = useRef(queryKey);
  useEffect(() => {
    key.current = queryKey;
  });

  const showFresh = useCallback(() => {
    timer.current = undefined;
    setFresh(0);
    // Pages further down would be read again one after the other, and are not seen.
    client.setQueryData<InfiniteData<unknown>>(
      key.current,
      (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    );
    void client.invalidateQueries({ queryKey: key.current, exact: true });
  }, [client]);
  useEffect(() => () => clearTimeout(timer.current), []);

  useLiveEvents((event) => {
    if (!isEntry(event)) return;
    if (isAtTop.current) timer.current ??= setTimeout(showFresh, GATHER);
    else setFresh((count) => count + 1);
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
