import type { ReactFlowInstance, ReactFlowProps } from '@xyflow/react';
import { useState } from 'react';
import { type InsertionPoint, nearestPoint } from './insertion-points.ts';

/** Pixels of the graph from the pointer to the nearest point. */
const REACH = 90;

export interface StepDrag {
  id: string;
  /** Pixels, relative to the enclosing block or the graph. */
  x: number;
  y: number;
  /** Where the step would be dropped; undefined if it would return to its position. */
  target: InsertionPoint | undefined;
}

export interface StepDragOptions {
  points: readonly InsertionPoint[];
  onDrop: (step: string, point: InsertionPoint) => void;
}

/** Drags a step to another point of the graph. A step is not dropped into itself, or where it already is. */
export function useStepDrag(
  flow: () => Pick<ReactFlowInstance, 'screenToFlowPosition'> | undefined,
  { points, onDrop }: StepDragOptions,
): { drag: StepDrag | undefined; handlers: Pick<ReactFlowProps, 'onNodeDrag' | 'onNodeDragStop'> } {
  const [drag, setDrag] = useState<StepDrag>();
  return {
    drag,
    handlers: {
      onNodeDrag(event, { id, position }) {
        const pointer = 'clientX' in event ? event : event.changedTouches[0];
        const at = pointer && flow()?.screenToFlowPosition({ x: pointer.clientX, y: pointer.clientY });
        const others = points.filter((point) => isElsewhere(id, point));
        setDrag({ id, ...position, target: at && nearestPoint(others, at, REACH) });
      },
      onNodeDragStop() {
        setDrag(undefined);
        if (drag?.target !== undefined) onDrop(drag.id, drag.target);
      },
    },
  };
}

function isElsewhere(step: string, { list, at }: InsertionPoint): boolean {
  if (list.startsWith(`${step}/`)) return false;
  return !step.startsWith(`${list}/${at}/`) && !step.startsWith(`${list}/${at - 1}/`);
}
