// Where the window stood, kept between two lives of the app.
import { readFileSync, writeFileSync } from 'node:fs';

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface WindowPlace {
  /** Undefined: where the system puts it. */
  bounds: Rectangle | undefined;
  isMaximized: boolean;
}

export const SMALLEST = { width: 800, height: 560 };
const NOWHERE: WindowPlace = { bounds: undefined, isMaximized: false };
/** So much of the window must be seen, for its bar to be taken hold of. */
const SEEN = { width: 200, height: 100 };

/** A file that is absent, or holds anything else, is as if there were none. */
export function readWindowPlace(file: string): WindowPlace {
  try {
    const { bounds, isMaximized } = JSON.parse(readFileSync(file, 'utf8')) as Partial<WindowPlace>;
    return { bounds: isRectangle(bounds) ? bounds : undefined, isMaximized: isMaximized === true };
  } catch {
    return NOWHERE;
  }
}

/** Losing it costs nothing but a place. */
export function writeWindowPlace(file: string, place: WindowPlace): void {
  try {
    writeFileSync(file, `${JSON.stringify(place)}\n`);
  } catch {}
}

/** The bounds on the displays that are there now: a window that none of them shows comes back where the system puts it. */
export function visibleBounds(bounds: Rectangle | undefined, workAreas: readonly Rectangle[]): Rectangle | undefined {
  if (bounds === undefined) return undefined;
  const area = workAreas.find((one) => shares(bounds, one));
  if (area === undefined) return undefined;
  const width = Math.min(Math.max(bounds.width, SMALLEST.width), area.width);
  const height = Math.min(Math.max(bounds.height, SMALLEST.height), area.height);
  // The bar at the top is never above the display.
  return { x: bounds.x, y: Math.max(bounds.y, area.y), width, height };
}

function shares(bounds: Rectangle, area: Rectangle): boolean {
  const width = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
  const height = Math.min(bounds.y + bounds.height, area.y + area.height) - Math.max(bounds.y, area.y);
  return width >= SEEN.width && height >= SEEN.height;
}

function isRectangle(value: unknown): value is Rectangle {
  if (typeof value !== 'object' || value === null) return false;
  const { x, y, width, height } = value as Record<string, unknown>;
  return (
    [x, y, width, height].every((number) => Number.isSafeInteger(number)) && Number(width) > 0 && Number(height) > 0
  );
}
