// Places the boxes of one block of a graph. Most of a workflow is a sequence, and a sequence needs no search for the best
// places: the boxes are divided into sections that follow each other, and only sections of several boxes, such as the
// branches of a switch, are laid out by dagre. Its time grows faster than the number of boxes, and a sequence of two
// thousand exceeds its stack.
import { Graph, layout } from '@dagrejs/dagre';

/** The direction of the graph: down in a narrow area, right in a wide one. */
export type Direction = 'down' | 'right';

/** Pixels. */
export interface Size {
  width: number;
  height: number;
}

/** Pixels. */
export interface Position {
  x: number;
  y: number;
}

export interface Box extends Size {
  id: string;
}

export interface BoxEdge {
  from: string;
  to: string;
  /** The space that its label needs. */
  label?: Size;
}

/** Where an edge goes past boxes that are between its own. */
export interface Lane {
  from: string;
  to: string;
  /** Pixels from the centre of its first box, across the direction of the graph. */
  beside: number;
}

export interface PlacedBoxes {
  /** The centre of each box. */
  centres: Map<string, Position>;
  lanes: readonly Lane[];
  size: Size;
}

/** Pixels between boxes that follow each other, and between those beside each other. */
export const GAP = { along: 34, across: 28 };
/** Boxes of a section that dagre lays out. More are placed one after the other: a plain graph is better than none. */
const MOST_IN_SECTION = 1_000;
/** The points that dagre gives an edge between boxes that follow each other: its ends and its middle. */
const POINTS_TO_NEXT = 3;

interface Section {
  boxes: readonly Box[];
  edges: readonly BoxEdge[];
}

/** @param boxes in the order of the document */
export function placeBoxes(boxes: readonly Box[], edges: readonly BoxEdge[], direction: Direction): PlacedBoxes {
  const placed = sectionsOf(boxes, edges).map((section) => placeSection(section, direction));
  const [first] = placed;
  return first !== undefined && placed.length === 1 ? first : inSequence(placed, direction);
}

/** The boxes, divided wherever the only edge leads from one box to the next. */
function sectionsOf(boxes: readonly Box[], edges: readonly BoxEdge[]): Section[] {
  const indexes = new Map(boxes.map(({ id }, index) => [id, index]));
  const ranges = edges.map((edge) => {
    const [from, to] = [indexes.get(edge.from) ?? 0, indexes.get(edge.to) ?? 0];
    const isStep = to === from + 1 && edge.label === undefined;
    return { edge, isStep, first: Math.min(from, to), last: Math.max(from, to) };
  });
  /** How many more edges pass before each box than before its predecessor. */
  const more = boxes.map(() => 0);
  const steps = new Set<number>();
  for (const { isStep, first, last } of ranges) {
    more[first + 1] = (more[first + 1] ?? 0) + 1;
    more[last + 1] = (more[last + 1] ?? 0) - 1;
    if (isStep) steps.add(last);
  }
  const sections: { boxes: Box[]; edges: BoxEdge[] }[] = [];
  const sectionAt: number[] = [];
  let passing = 0;
  for (const [index, box] of boxes.entries()) {
    passing += more[index] ?? 0;
    if (index === 0 || (passing === 1 && steps.has(index))) sections.push({ boxes: [], edges: [] });
    sections.at(-1)?.boxes.push(box);
    sectionAt.push(sections.length - 1);
  }
  for (const { edge, first, last } of ranges) {
    const section = sectionAt[first];
    if (section !== undefined && section === sectionAt[last]) sections[section]?.edges.push(edge);
  }
  return sections;
}

function placeSection({ boxes, edges }: Section, direction: Direction): PlacedBoxes {
  const [only] = boxes;
  if (only !== undefined && boxes.length === 1) return alone(only);
  if (boxes.length > MOST_IN_SECTION) return inSequence(boxes.map(alone), direction);
  const plan = new Graph({ multigraph: true });
  plan.setGraph({
    rankdir: direction === 'down' ? 'TB' : 'LR',
    nodesep: GAP.across,
    ranksep: GAP.along,
    marginx: 0,
    marginy: 0,
  });
  plan.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of boxes) plan.setNode(id, { width, height });
  for (const { from, to, label } of edges)
    plan.setEdge(from, to, label === undefined ? {} : { ...label, labelpos: 'c' });
  layout(plan);
  const { width = 0, height = 0 } = plan.graph();
  const centres = boxes.map(({ id }): [string, Position] => {
    const { x, y } = plan.node(id);
    return [id, { x, y }];
  });
  const across = direction === 'down' ? 'x' : 'y';
  const lanes = edges.flatMap(({ from, to }): Lane[] => {
    const { points = [] } = plan.edge(from, to);
    const middle = points.length > POINTS_TO_NEXT ? points[Math.floor(points.length / 2)] : undefined;
    return middle === undefined ? [] : [{ from, to, beside: middle[across] - plan.node(from)[across] }];
  });
  return { centres: new Map(centres), lanes, size: { width, height } };
}

function alone({ id, width, height }: Box): PlacedBoxes {
  return { centres: new Map([[id, { x: width / 2, y: height / 2 }]]), lanes: [], size: { width, height } };
}

/** Places each section after the one before, its first box in line with the last box there. */
function inSequence(all: readonly PlacedBoxes[], direction: Direction): PlacedBoxes {
  const [along, across] = direction === 'down' ? (['y', 'x'] as const) : (['x', 'y'] as const);
  const [length, breadth] = direction === 'down' ? (['height', 'width'] as const) : (['width', 'height'] as const);
  let end = -GAP.along;
  let centre = 0;
  let [least, most] = [0, 0];
  const shifted = all.map(({ centres, size }, index) => {
    const own = [...centres.values()];
    const begin = end + GAP.along;
    const shift = index === 0 ? 0 : centre - (own[0]?.[across] ?? 0);
    end = begin + size[length];
    centre = shift + (own.at(-1)?.[across] ?? 0);
    least = Math.min(least, shift);
    most = Math.max(most, shift + size[breadth]);
    return { centres, begin, shift };
  });
  const centres = new Map<string, Position>();
  for (const { centres: own, begin, shift } of shifted) {
    for (const [id, position] of own) {
      const [on, beside] = [position[along] + begin, position[across] + shift - least];
      centres.set(id, direction === 'down' ? { x: beside, y: on } : { x: on, y: beside });
    }
  }
  const [whole, wide] = [Math.max(end, 0), most - least];
  const size = direction === 'down' ? { width: wide, height: whole } : { width: whole, height: wide };
  return { centres, lanes: all.flatMap(({ lanes }) => lanes), size };
}
