// Computes the positions of a workflow's steps in a worker: large graphs take long. Each block is laid out by itself, the
// innermost first, and is then a single box in the block around it.
import type { DocumentGraph } from '../../shared/api/index.ts';
import { type Box, type BoxEdge, type Direction, type Lane, placeBoxes, type Size } from './place-boxes.ts';
import { EMPTY_LIST, type EmptyList, type PlacedStep } from './placed-step.ts';

type Step = DocumentGraph['nodes'][number];

const STEP = { width: 190, height: 52 };
const END = { width: 64, height: 30 };
/** Pixels, for the font size of edge labels in graph.css. */
const LABEL = { perCharacter: 6, padding: 14, height: 18 };
const BLOCK_HEAD = 34;
const BLOCK_PADDING = 16;
/** It fills the smallest block. */
const EMPTY = { width: STEP.width - 2 * BLOCK_PADDING, height: 50 };

export interface LayOutRequest {
  id: number;
  graph: DocumentGraph;
  direction: Direction;
  emptyLists: readonly EmptyList[];
}
export interface LayOutResponse {
  id: number;
  steps: PlacedStep[];
  lanes: Lane[];
}

function layOut({ graph, direction, emptyLists }: LayOutRequest): Omit<LayOutResponse, 'id'> {
  const byId = new Map(graph.nodes.map((step) => [step.id, step]));
  const empty = emptyLists.map(
    ({ list, step }): Step => ({ id: list, name: '', type: EMPTY_LIST, summary: '', parent: step, line: 0 }),
  );
  const within = Map.groupBy([...graph.nodes, ...empty], ({ parent }) => parent);
  const placed: PlacedStep[] = [];
  const allLanes: Lane[] = [];

  const place = (parent: string | undefined): Size => {
    const boxes: Box[] = [];
    // A block must precede its steps: later nodes are drawn on top.
    const own: PlacedStep[] = [];
    for (const step of within.get(parent) ?? []) {
      const isBlock = (within.get(step.id)?.length ?? 0) > 0;
      const at = placed.length;
      const size = isBlock ? blockSize(place(step.id)) : sizeOf(step);
      const below = placed.splice(at);
      boxes.push({ id: step.id, ...size });
      own.push({ step, x: 0, y: 0, ...size, isBlock }, ...below);
    }
    const edges = graph.edges.flatMap(({ from, to, label }): BoxEdge[] => {
      const one = ancestorIn(from, parent, byId);
      const other = ancestorIn(to, parent, byId);
      if (one === undefined || other === undefined || one === other) return [];
      return [{ from: one, to: other, ...(label === undefined ? {} : { label: labelSize(label) }) }];
    });
    const { centres, lanes, size } = placeBoxes(boxes, edges, direction);
    allLanes.push(...lanes);
    const offset = parent === undefined ? { x: 0, y: 0 } : { x: BLOCK_PADDING, y: BLOCK_HEAD };
    for (const entry of own) {
      const centre = centres.get(entry.step.id);
      if (centre === undefined) continue;
      entry.x = centre.x - entry.width / 2 + offset.x;
      entry.y = centre.y - entry.height / 2 + offset.y;
    }
    placed.push(...own);
    return size;
  };
  place(undefined);
  return { steps: placed, lanes: allLanes };
}

function sizeOf({ type }: Step): Size {
  if (type === EMPTY_LIST) return EMPTY;
  return type === 'start' || type === 'end' ? END : STEP;
}

/** Reserves space for the label of an edge, so that it covers no step. */
function labelSize(label: string): Size {
  return { width: label.length * LABEL.perCharacter + LABEL.padding, height: LABEL.height };
}

function blockSize({ width, height }: Size): Size {
  return {
    width: Math.max(STEP.width, width + 2 * BLOCK_PADDING),
    height: height + BLOCK_HEAD + BLOCK_PADDING,
  };
}

/** The step itself, or its ancestor directly inside `parent`. */
function ancestorIn(id: string, parent: string | undefined, byId: ReadonlyMap<string, Step>): string | undefined {
  for (
    let step = byId.get(id);
    step !== undefined;
    step = step.parent === undefined ? undefined : byId.get(step.parent)
  ) {
    if (step.parent === parent) return step.id;
  }
  return undefined;
}

self.addEventListener('message', ({ data }: MessageEvent<LayOutRequest>) => {
  self.postMessage({ id: data.id, ...layOut(data) } satisfies LayOutResponse);
});
