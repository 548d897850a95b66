import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { EventRecord } from '../../../shared/api/index.ts';
import { useLiveEvents } from '../../api/live.tsx';
import { runStartQuery, treeQuery } from '../../api/queries.ts';

export interface Tree {
  /** Of the whole tree that the run belongs to, oldest first. */
  events: readonly EventRecord[] | undefined;
  /** The event that started the run. */
  started: EventRecord | undefined;
  isPending: boolean;
  error: Error | null;
}

/** Milliseconds. Events that arrive together are rendered together. */
const GATHER = 150;

/** The events of a run's tree, updated live. */
export function useTree(playbook: string, runId: string): Tree {
  const start = useQuery(runStartQuery(playbook, runId));
  const top = topOf(start.data);
  const tree = useQuery({ ...treeQuery(playbook, top ?? runId), enabled: top !== undefined });
  const live = useLiveTree(top);
  const events = useMemo(() => tree.data && joined(tree.data, live), [tree.data, live]);
  return {
    events,
    started: start.data,
    isPending: start.isPending || tree.isPending,
    error: start.error ?? tree.error,
  };
}

/** Live events since the page was opened, so that none is lost while earlier ones are read. */
function useLiveTree(top: string | undefined): readonly EventRecord[] {
  const [live, setLive] = useState<readonly EventRecord[]>([]);
  const waiting = useRef<EventRecord[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      waiting.current = [];
      setLive([]);
    },
    [top],
  );
  useLiveEvents((event) => {
    // Until the root is known, any event may belong to the tree; the read that follows finds earlier ones.
    if (top === undefined || topOf(event) !== top) return;
    waiting.current.push(event);
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const events = waiting.current;
      waiting.current = [];
      setLive((before) => [...before, ...events]);
    }, GATHER);
  });
  return live;
}

function joined(read: readonly EventRecord[], live: readonly EventRecord[]): readonly EventRecord[] {
  if (live.length === 0) return read;
  const known = new Set(read.map(({ id }) => id));
  return [...read, ...live.filter(({ id }) => !known.has(id))];
}

function topOf(event: EventRecord | undefined): string | undefined {
  return event?.metadata.correlation_id ?? event?.metadata.run_id;
}
