// What of a graph is seen at first: all of it where it can be read so, else its beginning or the step that matters.
import type { Direction, PlacedStep } from './lay-out.ts';

export interface Room {
  width: number;
  height: number;
}

export interface Viewport {
  x: number;
  y: number;
  zoom: number;
}

/** Below this the names of steps cannot be read. */
const READABLE = 0.75;
/** As much smaller as it may be where that shows all of it across its direction. */
const LEAST = 0.65;
/** Pixels around it. */
const MARGIN = 20;

/** @param focus the step that is to be seen where not all are; the first where it is absent */
export function initialViewport(
  steps: readonly PlacedStep[],
  room: Room,
  { direction, focus }: { direction: Direction; focus?: string | undefined },
): Viewport {
  const corners = cornersOf(steps);
  const [first] = corners.values();
  let width = 1;
  let height = 1;
  for (const { x, y, step } of corners.values()) {
    width = Math.max(width, x + step.width);
    height = Math.max(height, y + step.height);
  }
  const wide = (room.width - 2 * MARGIN) / width;
  const high = (room.height - 2 * MARGIN) / height;
  const across = Math.max(LEAST, direction === 'right' ? high : wide);
  const zoom = Math.min(1, Math.max(Math.min(wide, high), Math.min(READABLE, across)));
  const shown = (focus === undefined ? undefined : corners.get(focus)) ?? first;
  const centre = shown && { x: shown.x + shown.step.width / 2, y: shown.y + shown.step.height / 2 };
  // Across its direction the beginning has no edge to stand at: the step itself is its middle.
  const isFromEdge = focus === undefined;
  return {
    zoom,
    x: offset(room.width, width * zoom, isFromEdge && direction === 'right' ? 0 : (centre?.x ?? 0) * zoom),
    y: offset(room.height, height * zoom, isFromEdge && direction === 'down' ? 0 : (centre?.y ?? 0) * zoom),
  };
}

/** Puts a point into the middle as far as no empty room comes in; what fits stands in the middle itself. */
function offset(room: number, length: number, point: number): number {
  if (length + 2 * MARGIN <= room) return (room - length) / 2;
  return Math.min(MARGIN, Math.max(room - MARGIN - length, room / 2 - point));
}

/** Where each step stands from the beginning of the whole: the graph has them within their blocks. */
function cornersOf(steps: readonly PlacedStep[]): Map<string, { x: number; y: number; step: PlacedStep }> {
  const corners = new Map<string, { x: number; y: number; step: PlacedStep }>();
  for (const one of steps) {
    const block = one.step.parent === undefined ? undefined : corners.get(one.step.parent);
    corners.set(one.step.id, { x: one.x + (block?.x ?? 0), y: one.y + (block?.y ?? 0), step: one });
  }
  return corners;
}
