import { useEffect, useState } from 'react';
import type { DocumentGraph } from '../../shared/api/index.ts';
import type { Direction, LayOutAnswer, LayOutRequest, PlacedStep } from './lay-out.ts';

export interface GraphLayout {
  graph: DocumentGraph;
  direction: Direction;
  steps: readonly PlacedStep[];
}

const answered = new Map<number, (steps: readonly PlacedStep[]) => void>();
let asked = 0;
let worker: Worker | undefined;

function layOutElsewhere(request: Omit<LayOutRequest, 'id'>, take: (steps: readonly PlacedStep[]) => void): () => void {
  if (worker === undefined) {
    worker = new Worker(new URL('./lay-out.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data: { id, placed } }: MessageEvent<LayOutAnswer>) => {
      answered.get(id)?.(placed);
      answered.delete(id);
    });
  }
  const id = (asked += 1);
  answered.set(id, take);
  worker.postMessage({ id, ...request } satisfies LayOutRequest);
  return () => void answered.delete(id);
}

/** The graph as it was laid out last: a further one replaces it when it is laid out. Undefined at first. */
export function useLayout(graph: DocumentGraph, direction: Direction): GraphLayout | undefined {
  const [placed, setPlaced] = useState<GraphLayout>();
  useEffect(
    () => layOutElsewhere({ graph, direction }, (steps) => setPlaced({ graph, direction, steps })),
    [graph, direction],
  );
  return placed;
}
