// Passes the events of the open playbook to listeners, and says whether the connection to the service is lost.
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { EventRecord } from '../../shared/api/index.ts';
import { followEvents } from './follow-events.ts';
import { refetchEverything, staleKeys } from './queries.ts';

type Listener = (event: EventRecord) => void;

interface Live {
  isLost: boolean;
  listen: (listener: Listener) => () => void;
}

const LiveContext = createContext<Live>({ isLost: false, listen: () => () => {} });

/** Milliseconds. Queries that several events make stale are refetched once. */
const BATCH_DELAY = 150;

export function LiveProvider({ playbook, children }: { playbook: string | undefined; children: ReactNode }) {
  const client = useQueryClient();
  const [isLost, setLost] = useState(false);
  const listeners = useRef(new Set<Listener>());

  useEffect(() => {
    if (playbook === undefined) return;
    const abort = new AbortController();
    const stale = new Map<string, unknown[]>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refetch = (): void => {
      timer = undefined;
      for (const queryKey of stale.values()) void client.invalidateQueries({ queryKey });
      stale.clear();
    };
    let wasLost = false;
    const reached = (missed: boolean): void => {
      setLost(false);
      if (missed || wasLost) void refetchEverything(client);
      wasLost = false;
    };
    const following = followEvents(
      playbook,
      {
        onOpen: reached,
        onUnknown: () => reached(false),
        onLost() {
          wasLost = true;
          setLost(true);
        },
        onEvent(event) {
          for (const key of staleKeys(playbook, event)) stale.set(key.join('\n'), key);
          for (const listener of listeners.current) listener(event);
          timer ??= setTimeout(refetch, BATCH_DELAY);
        },
      },
      abort.signal,
    );
    following.catch((error: unknown) => console.error(error));
    return () => {
      abort.abort();
      clearTimeout(timer);
      setLost(false);
    };
  }, [client, playbook]);

  const live = useMemo<Live>(
    () => ({
      isLost,
      listen(listener) {
        listeners.current.add(listener);
        return () => listeners.current.delete(listener);
      },
    }),
    [isLost],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}

export function useIsLost(): boolean {
  return useContext(LiveContext).isLost;
}

/** Calls `listener` with each event recorded from now on. */
export function useLiveEvents(listener: Listener): void {
  const { listen } = useContext(LiveContext);
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => listen((event) => latest.current(event)), [listen]);
}
