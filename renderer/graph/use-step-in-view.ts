import type { ReactFlowInstance } from '@xyflow/react';
import { type RefObject, useEffect } from 'react';
import { absolutePositions } from './initial-viewport.ts';
import type { PlacedStep } from './placed-step.ts';

/** Pixels between a step and the edge of the pane. */
const MARGIN = 12;
/** Of a block, only the head has to be in view. In pixels of the graph. */
const MOST_HEIGHT = 60;

export interface StepInViewOptions {
  pane: RefObject<HTMLElement | null>;
  flow: RefObject<Pick<ReactFlowInstance, 'getViewport' | 'setViewport'> | undefined>;
  steps: readonly PlacedStep[];
  /** The step to keep in view; undefined for none. */
  step: string | undefined;
}

/** Moves the graph as little as it takes to show a step, when another one is chosen or the pane gets smaller. */
export function useStepInView({ pane, flow, steps, step }: StepInViewOptions): void {
  useEffect(() => {
    const element = pane.current;
    if (element === null || step === undefined) return;
    const show = (): void => {
      const position = absolutePositions(steps).get(step);
      const viewport = flow.current?.getViewport();
      if (position === undefined || viewport === undefined) return;
      const { zoom } = viewport;
      const { width, height } = position.step;
      const x = shift(position.x * zoom + viewport.x, width * zoom, element.clientWidth);
      const y = shift(position.y * zoom + viewport.y, Math.min(height, MOST_HEIGHT) * zoom, element.clientHeight);
      if (x !== 0 || y !== 0) void flow.current?.setViewport({ zoom, x: viewport.x + x, y: viewport.y + y });
    };
    // It also calls `show` at once.
    const observer = new ResizeObserver(show);
    observer.observe(element);
    return () => observer.disconnect();
  }, [pane, flow, steps, step]);
}

/** How far something must move to be between the edges; what does not fit shows its beginning. */
function shift(at: number, length: number, size: number): number {
  if (at < MARGIN) return MARGIN - at;
  const over = at + length - (size - MARGIN);
  return over > 0 ? -Math.min(over, at - MARGIN) : 0;
}
