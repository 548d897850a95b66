import { ViewportPortal } from '@xyflow/react';
import { Plus } from 'lucide-react';
import { type InsertionPoint, wordsOf } from './insertion-points.ts';

export interface InsertButtonsProps {
  points: readonly InsertionPoint[];
  /** The point at which a dragged step would be dropped. */
  target: InsertionPoint | undefined;
  onInsert: (point: InsertionPoint) => void;
}

/**
 * A button at each place of the graph where a step can be inserted. The keyboard stops only at those in empty lists: the
 * buttons for the chosen step insert before and after it.
 */
export function InsertButtons({ points, target, onInsert }: InsertButtonsProps) {
  return (
    <ViewportPortal>
      {points.map((point) => {
        const isTarget = point.list === target?.list && point.at === target.at;
        return (
          <button
            key={`${point.list} ${point.at}`}
            type="button"
            // The graph neither pans nor drags from here.
            className="insert-point nopan nodrag"
            data-target={isTarget || undefined}
            style={{ transform: `translate(-50%, -50%) translate(${point.x}px, ${point.y}px)` }}
            tabIndex={point.beside === undefined ? 0 : -1}
            aria-label={`Insert a step ${wordsOf(point)}`}
            title={`Insert a step ${wordsOf(point)}`}
            onClick={() => onInsert(point)}
          >
            <Plus size={11} strokeWidth={2.5} aria-hidden />
          </button>
        );
      })}
    </ViewportPortal>
  );
}
