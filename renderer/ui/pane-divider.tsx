import './pane-divider.css';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { readStored, writeStored } from './browser-storage.ts';

/** Percent of the width. */
const LEAST = 25;
const MOST = 80;
const STEP = 2;

export interface Panes {
  /** The share of the first pane, in percent of the width of both. */
  share: number;
  setShare: (share: number) => void;
  /** The share of a pane that was never resized. */
  initial: number;
}

/** The share of the first of two panes, kept in the browser. */
export function usePanes(name: string, initial: number): Panes {
  const key = `cuebook pane ${name}`;
  const [share, setShare] = useState(() => {
    const stored = readStored('localStorage', key);
    return typeof stored === 'number' ? limited(stored) : initial;
  });
  return {
    share,
    initial,
    setShare(next) {
      setShare(limited(next));
      writeStored('localStorage', key, limited(next));
    },
  };
}

function limited(share: number): number {
  return Math.min(MOST, Math.max(LEAST, share));
}

/**
 * The line between two panes of a positioned element. It is dragged, or moved with the arrow keys; a double click or
 * Enter restores it.
 */
export function PaneDivider({ label, panes: { share, initial, setShare } }: { label: string; panes: Panes }) {
  const press = (event: KeyboardEvent): void => {
    const next: Readonly<Record<string, number>> = {
      ArrowLeft: share - STEP,
      ArrowRight: share + STEP,
      Home: LEAST,
      End: MOST,
      Enter: initial,
    };
    const to = next[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    setShare(to);
  };
  const drag = ({ currentTarget, clientX, pointerId }: PointerEvent<HTMLDivElement>): void => {
    if (!currentTarget.hasPointerCapture(pointerId)) return;
    const box = currentTarget.parentElement?.getBoundingClientRect();
    if (box !== undefined && box.width > 0) setShare((100 * (clientX - box.left)) / box.width);
  };
  return (
    <div
      className="pane-divider"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={Math.round(share)}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      tabIndex={0}
      title="Drag, or use the arrow keys"
      style={{ left: `${share}%` }}
      onKeyDown={press}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => setShare(initial)}
    />
  );
}
