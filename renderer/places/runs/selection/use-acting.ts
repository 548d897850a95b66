import { useEffect, useRef, useState } from 'react';
import type { RunListEntry } from '../../../../shared/api/index.ts';
import { inParallel } from '../../../api/in-parallel.ts';
import { type ActResult, resultOf } from './act-on-runs.ts';

/** Requests at a time: a browser opens six connections to a service, and the page needs some. */
const CONCURRENT = 4;

export interface Acting {
  /** By the id of the run. */
  results: ReadonlyMap<string, ActResult>;
  isWorking: boolean;
  /** The runs that a start would act on: those that were left out, or may succeed now. */
  remaining: readonly RunListEntry[];
  /** Acts on the remaining runs. Does nothing while it is working. */
  start: () => void;
  /** Sends nothing further. What was sent is awaited. */
  stop: () => void;
}

/**
 * Acts on runs, a few at a time.
 * @param onFinished called with the results when all requests were answered
 */
export function useActing(
  runs: readonly RunListEntry[],
  act: (run: RunListEntry) => Promise<void>,
  onFinished: (results: ReadonlyMap<string, ActResult>) => void,
): Acting {
  const [results, setResults] = useState<ReadonlyMap<string, ActResult>>(new Map());
  const [isWorking, setWorking] = useState(false);
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);

  const remaining = runs.filter(({ run_id: id }) => {
    const result = results.get(id);
    return result === undefined || (result.is === 'failed' && result.mayRepeat);
  });
  const work = async (abort: AbortController): Promise<void> => {
    let latest = results;
    const one = async (run: RunListEntry): Promise<void> => {
      const result = await resultOf(() => act(run));
      latest = new Map(latest).set(run.run_id, result);
      setResults(latest);
    };
    await inParallel(remaining, CONCURRENT, one, abort.signal);
    stopping.current = undefined;
    setWorking(false);
    onFinished(latest);
  };
  return {
    results,
    isWorking,
    remaining,
    start() {
      // A second press may come before the page has changed.
      if (stopping.current !== undefined) return;
      stopping.current = new AbortController();
      setWorking(true);
      void work(stopping.current);
    },
    stop: () => stopping.current?.abort(),
  };
}
