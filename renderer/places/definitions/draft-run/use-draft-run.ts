// Runs the text in the editor without saving it, and follows its steps.
import { useEffect, useRef, useState } from 'react';
import type { Json } from '../../../../shared/json.ts';
import type { DraftRun, Input, StreamedEvent } from '../../../../shared/api/index.ts';
import { openStream } from '../../../api/call.ts';

export type DraftStep = DraftRun['steps'][number];
export type DraftRequest = Input<'follow_draft'>;
export type GivenResult = NonNullable<DraftRequest['results']>[number];

export interface DraftProgress {
  /** What was sent last. */
  request: DraftRequest | undefined;
  isPending: boolean;
  /** The steps in their current states, by pointer and iterations. */
  steps: ReadonlyMap<string, DraftStep>;
  /** What the model has written so far. */
  text: string;
  result: DraftRun | undefined;
  error: unknown;
}

export interface DraftRunning extends DraftProgress {
  start: (request: DraftRequest) => void;
  /** Continues with results for open questions, or with another event. */
  proceed: (more: { results?: readonly GivenResult[]; event?: { type: string } & Record<string, Json> }) => void;
}

const IDLE: DraftProgress = {
  request: undefined,
  isPending: false,
  steps: new Map(),
  text: '',
  result: undefined,
  error: undefined,
};

export function useDraftRun(): DraftRunning {
  const [progress, setProgress] = useState(IDLE);
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);

  const send = (request: DraftRequest): void => {
    leaving.current?.abort();
    const { signal } = (leaving.current = new AbortController());
    const set = (change: (before: DraftProgress) => DraftProgress): void => {
      if (!signal.aborted) setProgress(change);
    };
    setProgress({ ...IDLE, request, isPending: true });
    const follow = async (): Promise<void> => {
      for await (const event of await openStream('follow_draft', request, signal))
        set((before) => moved(before, event));
      set((before) => (before.result === undefined ? { ...before, isPending: false, error: LOST } : before));
    };
    follow().catch((error: unknown) => set((before) => ({ ...before, isPending: false, error })));
  };

  return {
    ...progress,
    start: send,
    proceed({ results = [], event }) {
      const { request, result } = progress;
      if (request === undefined || result?.continuation === undefined) return;
      const { continuation } = result;
      send({
        ...request,
        ...continuation,
        results: [...continuation.results, ...results],
        ...(event === undefined ? {} : { events: [...(request.events ?? []), event] }),
      });
    },
  };
}

const LOST = new Error('The connection was lost before the result. Run the draft again.');

function moved(before: DraftProgress, { steps, text, result }: StreamedEvent<'follow_draft'>): DraftProgress {
  if (result !== undefined) {
    return { ...before, isPending: false, result, steps: stepsOf(new Map(), result.steps) };
  }
  if (text !== undefined) return { ...before, text: before.text.slice(0, text.from) + text.text };
  return steps === undefined ? before : { ...before, steps: stepsOf(before.steps, steps) };
}

function stepsOf(before: ReadonlyMap<string, DraftStep>, steps: readonly DraftStep[]): Map<string, DraftStep> {
  const after = new Map(before);
  for (const step of steps) after.set(`${step.step} ${(step.iterations ?? []).join('.')}`, step);
  return after;
}
