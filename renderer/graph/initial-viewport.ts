// The initial view of a graph: the whole graph if it is readable, otherwise its start or the step in focus.
import type { Direction } from './place-boxes.ts';
import type { PlacedStep } from './placed-step.ts';

export interface Size {
  width: number;
  height: number;
}

export interface Viewport {
  x: number;
  y: number;
  zoom: number;
}

/** The names of steps are unreadable below this zoom. */
const READABLE_ZOOM = 0.75;
/** The minimum zoom, used if it fits the graph across its direction. */
const MIN_ZOOM = 0.65;
/** Pixels around the graph. */
const MARGIN = 20;

/** @param focus the step to show if the graph does not fit; by default the first */
export function initialViewport(
  steps: readonly PlacedStep[],
  size: Size,
  { direction, focus }: { direction: Direction; focus?: string | undefined },
): Viewport {
  const positions = absolutePositions(steps);
  const [first] = positions.values();
  let width = 1;
  let height = 1;
  for (const { x, y, step } of positions.values()) {
    width = Math.max(width, x + step.width);
    height = Math.max(height, y + step.height);
  }
  const wide = (size.width - 2 * MARGIN) / width;
  const high = (size.height - 2 * MARGIN) / height;
  const across = Math.max(MIN_ZOOM, direction === 'right' ? high : wide);
  const zoom = Math.min(1, Math.max(Math.min(wide, high), Math.min(READABLE_ZOOM, across)));
  const shown = (focus === undefined ? undefined : positions.get(focus)) ?? first;
  const centre = shown && { x: shown.x + shown.step.width / 2, y: shown.y + shown.step.height / 2 };
  // The view starts at the edge in the direction of the graph. Across it, the step is centred.
  const startsAtEdge = focus === undefined;
  return {
    zoom,
    x: offset(size.width, width * zoom, startsAtEdge && direction === 'right' ? 0 : (centre?.x ?? 0) * zoom),
    y: offset(size.height, height * zoom, startsAtEdge && direction === 'down' ? 0 : (centre?.y ?? 0) * zoom),
  };
}

/** Centres a point without showing empty space at the edges. A graph that fits is centred as a whole. */
function offset(size: number, length: number, point: number): number {
  if (length + 2 * MARGIN <= size) return (size - length) / 2;
  return Math.min(MARGIN, Math.max(size - MARGIN - length, size / 2 - point));
}

export interface PositionedStep {
  x: number;
  y: number;
  step: PlacedStep;
}

/** The position of each step in the graph. The layout gives positions relative to the enclosing block. */
export function absolutePositions(steps: readonly PlacedStep[]): Map<string, PositionedStep> {
  const positions = new Map<string, PositionedStep>();
  for (const one of steps) {
    const block = one.step.parent === undefined ? undefined : positions.get(one.step.parent);
    positions.set(one.step.id, { x: one.x + (block?.x ?? 0), y: one.y + (block?.y ?? 0), step: one });
  }
  return positions;
}
