// Where the steps of a workflow stand: each block is laid out by itself, the innermost first, then as one box in its own.
import { Graph, layout } from '@dagrejs/dagre';
import type { DocumentGraph } from '../../shared/api/index.ts';

type Step = DocumentGraph['nodes'][number];

export interface PlacedStep {
  step: Step;
  /** Pixels within the block it stands in, or from the beginning. */
  x: number;
  y: number;
  width: number;
  height: number;
  isBlock: boolean;
}

const STEP = { width: 190, height: 52 };
const END = { width: 64, height: 30 };
/** Pixels, at the size that graph.css gives the words on lines. */
const LABEL = { perLetter: 6, around: 14, height: 18 };
const BLOCK_HEAD = 34;
const BLOCK_PADDING = 16;

/** Where each step leads: down where there is little width, to the right where there is. */
export type Direction = 'down' | 'right';

export interface LayOutRequest {
  id: number;
  graph: DocumentGraph;
  direction: Direction;
}
export interface LayOutAnswer {
  id: number;
  placed: PlacedStep[];
}

function layOut(graph: DocumentGraph, direction: Direction): PlacedStep[] {
  const byId = new Map(graph.nodes.map((step) => [step.id, step]));
  const within = Map.groupBy(graph.nodes, ({ parent }) => parent);
  const placed: PlacedStep[] = [];

  const place = (parent: string | undefined): { width: number; height: number } => {
    const children = within.get(parent) ?? [];
    const plan = new Graph({ multigraph: true });
    plan.setGraph({ rankdir: direction === 'down' ? 'TB' : 'LR', nodesep: 28, ranksep: 34, marginx: 0, marginy: 0 });
    plan.setDefaultEdgeLabel(() => ({}));
    const sizes = new Map<string, { width: number; height: number; isBlock: boolean }>();
    // A box that stands in front of its block's steps must come first: what comes later is drawn above.
    const own: PlacedStep[] = [];
    for (const step of children) {
      const isBlock = (within.get(step.id)?.length ?? 0) > 0;
      const at = placed.length;
      const size = isBlock ? grown(place(step.id)) : step.type === 'start' || step.type === 'end' ? END : STEP;
      const below = placed.splice(at);
      sizes.set(step.id, { ...size, isBlock });
      plan.setNode(step.id, { ...size });
      own.push({ step, x: 0, y: 0, ...size, isBlock }, ...below);
    }
    for (const { from, to, label } of graph.edges) {
      const one = ancestorIn(from, parent, byId);
      const other = ancestorIn(to, parent, byId);
      if (one !== undefined && other !== undefined && one !== other)
        plan.setEdge(one, other, label === undefined ? {} : roomOf(label));
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

/** The words on a line take room of their own, so that they cover no step. */
function roomOf(label: string): { width: number; height: number; labelpos: 'c' } {
  return { width: label.length * LABEL.perLetter + LABEL.around, height: LABEL.height, labelpos: 'c' };
}

function grown({ width, height }: { width: number; height: number }): { width: number; height: number } {
  return {
    width: Math.max(STEP.width, width + 2 * BLOCK_PADDING),
    height: height + BLOCK_HEAD + BLOCK_PADDING,
  };
}

/** The step itself or the one above it that stands directly in `parent`. */
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

self.addEventListener('message', ({ data: { id, graph, direction } }: MessageEvent<LayOutRequest>) => {
  self.postMessage({ id, placed: layOut(graph, direction) } satisfies LayOutAnswer);
});
