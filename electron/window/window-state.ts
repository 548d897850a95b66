// Stores the position and size of the window between sessions.
import { readFileSync, writeFileSync } from 'node:fs';

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface WindowState {
  /** Undefined for the default position. */
  bounds: Rectangle | undefined;
  isMaximized: boolean;
}

export const MIN_SIZE = { width: 800, height: 560 };
const DEFAULT_STATE: WindowState = { bounds: undefined, isMaximized: false };
/** The part of the window that must be visible, so that its title bar can be dragged. */
const MIN_VISIBLE = { width: 200, height: 100 };

/** The stored state; the default if the file is missing or invalid. */
export function readWindowState(file: string): WindowState {
  try {
    const { bounds, isMaximized } = JSON.parse(readFileSync(file, 'utf8')) as Partial<WindowState>;
    return { bounds: isRectangle(bounds) ? bounds : undefined, isMaximized: isMaximized === true };
  } catch {
    return DEFAULT_STATE;
  }
}

/** Stores the state. Errors are ignored. */
export function writeWindowState(file: string, state: WindowState): void {
  try {
    writeFileSync(file, `${JSON.stringify(state)}\n`);
  } catch {}
}

/** The bounds, adjusted to the current displays; undefined if no display shows the window. */
export function visibleBounds(bounds: Rectangle | undefined, workAreas: readonly Rectangle[]): Rectangle | undefined {
  if (bounds === undefined) return undefined;
  const area = workAreas.find((one) => isVisibleOn(bounds, one));
  if (area === undefined) return undefined;
  const width = Math.min(Math.max(bounds.width, MIN_SIZE.width), area.width);
  const height = Math.min(Math.max(bounds.height, MIN_SIZE.height), area.height);
  // The title bar is never above the display.
  return { x: bounds.x, y: Math.max(bounds.y, area.y), width, height };
}

function isVisibleOn(bounds: Rectangle, area: Rectangle): boolean {
  const width = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
  const height = Math.min(bounds.y + bounds.height, area.y + area.height) - Math.max(bounds.y, area.y);
  return width >= MIN_VISIBLE.width && height >= MIN_VISIBLE.height;
}

function isRectangle(value: unknown): value is Rectangle {
  if (typeof value !== 'object' || value === null) return false;
  const { x, y, width, height } = value as Record<string, unknown>;
  return (
    [x, y, width, height].every((number) => Number.isSafeInteger(number)) && Number(width) > 0 && Number(height) > 0
  );
}
