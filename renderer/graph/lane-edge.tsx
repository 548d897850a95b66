// An edge that passes steps, in the lane beside them that the layout reserved for it.
import { BaseEdge, type Edge, type EdgeProps, Position } from '@xyflow/react';
import { GAP, type Position as Point } from './place-boxes.ts';

export type LaneEdgeType = Edge<{ beside: number }, 'lane'>;

/** Pixels. */
const CORNER = 6;
const LABEL_BELOW_TURN = 12;

export function LaneEdge({
  sourceX,
  sourceY,
  targetX,
  targetY,
  sourcePosition,
  data,
  label,
  markerEnd,
}: EdgeProps<LaneEdgeType>) {
  const isDown = sourcePosition === Position.Bottom;
  /** Along the direction of the graph, and across it. */
  const [start, end] = isDown ? [sourceY, targetY] : [sourceX, targetX];
  const [from, to] = isDown ? [sourceX, targetX] : [sourceY, targetY];
  const lane = from + (data?.beside ?? 0);
  const [turn, turnBack] = [start + GAP.along / 2, end - GAP.along / 2];
  const at = (along: number, across: number): Point => (isDown ? { x: across, y: along } : { x: along, y: across });
  const corners = [at(turn, from), at(turn, lane), at(turnBack, lane), at(turnBack, to)];
  const labelAt = at(turn + LABEL_BELOW_TURN, lane);
  return (
    <BaseEdge
      path={roundedPath([at(start, from), ...corners, at(end, to)])}
      label={label}
      labelX={labelAt.x}
      labelY={labelAt.y}
      {...(markerEnd === undefined ? {} : { markerEnd })}
    />
  );
}

/** A line through points, as the path of an SVG; each corner between two of them is rounded. */
function roundedPath(points: readonly Point[]): string {
  const parts = points.map((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (before === undefined) return `M${point.x},${point.y}`;
    if (after === undefined) return `L${point.x},${point.y}`;
    const [into, out] = [towards(point, before), towards(point, after)];
    return `L${into.x},${into.y} Q${point.x},${point.y} ${out.x},${out.y}`;
  });
  return parts.join(' ');
}

/** The point at most CORNER, and half of the way, from one to another. */
function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const share = length === 0 ? 0 : Math.min(CORNER / length, 0.5);
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}
