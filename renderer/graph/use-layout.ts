import { useEffect, useState } from 'react';
import type { DocumentGraph } from '../../shared/api/index.ts';
import type { LayOutResponse, LayOutRequest } from './lay-out.ts';
import type { Direction, Lane } from './place-boxes.ts';
import type { EmptyList, PlacedStep } from './placed-step.ts';

export interface GraphLayout {
  graph: DocumentGraph;
  direction: Direction;
  steps: readonly PlacedStep[];
  lanes: readonly Lane[];
}

type LaidOut = Pick<GraphLayout, 'steps' | 'lanes'>;

const pending = new Map<number, (laidOut: LaidOut) => void>();
let lastId = 0;
let worker: Worker | undefined;

function layOutInWorker(request: Omit<LayOutRequest, 'id'>, onLaidOut: (laidOut: LaidOut) => void): () => void {
  if (worker === undefined) {
    worker = new Worker(new URL('./lay-out.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data: { id, ...laidOut } }: MessageEvent<LayOutResponse>) => {
      pending.get(id)?.(laidOut);
      pending.delete(id);
    });
  }
  const id = (lastId += 1);
  pending.set(id, onLaidOut);
  worker.postMessage({ id, ...request } satisfies LayOutRequest);
  return () => void pending.delete(id);
}

/**
 * The last layout of the graph; undefined until the first one is ready. A changed graph keeps the last layout until its
 * own is ready.
 */
export function useLayout(
  graph: DocumentGraph,
  direction: Direction,
  emptyLists: readonly EmptyList[],
): GraphLayout | undefined {
  const [layout, setLayout] = useState<GraphLayout>();
  useEffect(
    () => layOutInWorker({ graph, direction, emptyLists }, (laidOut) => setLayout({ graph, direction, ...laidOut })),
    [graph, direction, emptyLists],
  );
  return layout;
}
