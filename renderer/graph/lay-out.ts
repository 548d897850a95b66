// Computes the positions of a workflow's steps in a worker: a graph of a thousand steps takes a second. Each block is laid
// out by itself, the innermost first, and is then a single box in the block around it.
import { Graph, layout } from '@dagrejs/dagre';
import type { DocumentGraph } from '../../shared/api/index.ts';
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

/** The direction of the graph: down in a narrow area, right in a wide one. */
export type Direction = 'down' | 'right';

export interface LayOutRequest {
  id: number;
  graph: DocumentGraph;
  direction: Direction;
  emptyLists: readonly EmptyList[];
}
export interface LayOutResponse {
  id: number;
  steps: PlacedStep[];
}

function layOut({ graph, direction, emptyLists }: LayOutRequest): PlacedStep[] {
  const byId = new Map(graph.nodes.map((step) => [step.id, step]));
  const empty = emptyLists.map(
    ({ list, step }): Step => ({ id: list, name: '', type: EMPTY_LIST, summary: '', parent: step, line: 0 }),
  );
  const within = Map.groupBy([...graph.nodes, ...empty], ({ parent }) => parent);
  const placed: PlacedStep[] = [];

  const place = (parent: string | undefined): { width: number; height: number } => {
    const children = within.get(parent) ?? [];
    const plan = new Graph({ multigraph: true });
    plan.setGraph({ rankdir: direction === 'down' ? 'TB' : 'LR', nodesep: 28, ranksep: 34, marginx: 0, marginy: 0 });
    plan.setDefaultEdgeLabel(() => ({}));
    const sizes = new Map<string, { width: number; height: number; isBlock: boolean }>();
    // A block must precede its steps: later nodes are drawn on top.
    const own: PlacedStep[] = [];
    for (const step of children) {
      const isBlock = (within.get(step.id)?.length ?? 0) > 0;
      const at = placed.length;
      const size = isBlock ? blockSize(place(step.id)) : sizeOf(step);
      const below = placed.splice(at);
      sizes.set(step.id, { ...size, isBlock });
      plan.setNode(step.id, { ...size });
      own.push({ step, x: 0, y: 0, ...size, isBlock }, ...below);
    }
    for (const { from, to, label } of graph.edges) {
      const one = ancestorIn(from, parent, byId);
      const other = ancestorIn(to, parent, byId);
      if (one !== undefined && other !== undefined && one !== other)
        plan.setEdge(one, other, label === undefined ? {} : labelSize(label));
    }
    layout(plan);
    for (const entry of own) {
      if (entry.step.parent !== parent) continue;
      const { x, y } = plan.node(entry.step.id);
      const offset = parent === undefined ? { x: 0, y: 0 } : { x: BLOCK_PADDING, y: BLOCK_HEAD };
      entry.x = x - entry.width / 2 + offset.x;
      entry.y = y - entry.height / 2 + offset.y;
    }
    placed.push(...own);
    const { width = 0, height = 0 } = plan.graph();
    return { width, height };
  };
  place(undefined);
  return placed;
}

function sizeOf({ type }: Step): { width: number; height: number } {
  if (type === EMPTY_LIST) return EMPTY;
  return type === 'start' || type === 'end' ? END : STEP;
}

/** Reserves space for the label of an edge, so that it covers no step. */
function labelSize(label: string): { width: number; height: number; labelpos: 'c' } {
  return { width: label.length * LABEL.perCharacter + LABEL.padding, height: LABEL.height, labelpos: 'c' };
}

function blockSize({ width, height }: { width: number; height: number }): { width: number; height: number } {
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
  self.postMessage({ id: data.id, steps: layOut(data) } satisfies LayOutResponse);
});
