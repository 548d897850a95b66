import { type ReactFlowState, useStore, ViewportPortal } from '@xyflow/react';
import { Plus } from 'lucide-react';
import { type InsertionPoint, wordsOf } from './insertion-points.ts';

export interface InsertButtonsProps {
  points: readonly InsertionPoint[];
  /** The point at which a dragged step would be dropped. */
  target: InsertionPoint | undefined;
  onInsert: (point: InsertionPoint) => void;
}

/** Buttons are drawn for the tiles of the graph that are in view and those around them. In pixels of the graph. */
const TILE = 400;

/** The left, top, right and bottom edge of these tiles: text, so that it only differs when other tiles come into view. */
function drawnArea({ transform: [x, y, zoom], width, height }: ReactFlowState): string {
  const least = (at: number): number => (Math.floor(at / TILE) - 1) * TILE;
  const most = (at: number): number => (Math.ceil(at / TILE) + 1) * TILE;
  return [least(-x / zoom), least(-y / zoom), most((width - x) / zoom), most((height - y) / zoom)].join(' ');
}

/**
 * A button at each position near the visible part of the graph where a step can be inserted, and in each empty list. The
 * keyboard stops only at those in empty lists: the buttons for the chosen step insert before and after it.
 */
export function InsertButtons({ points, target, onInsert }: InsertButtonsProps) {
  const [left = 0, top = 0, right = 0, bottom = 0] = useStore(drawnArea).split(' ').map(Number);
  const drawn = points.filter(
    ({ x, y, beside }) => beside === undefined || (x >= left && x <= right && y >= top && y <= bottom),
  );
  return (
    <ViewportPortal>
      {drawn.map((point) => {
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
