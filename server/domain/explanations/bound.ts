import { jsonBytes } from '../../lib/canonical-json.ts';
import type { StoryLine } from './story.ts';

/** The maximum size of an explanation as JSON, in bytes. */
export const MOST_EXPLAINED = 4096;
/** The part of the room that the first lines get; the rest is for the newest. */
const FIRST = 0.6;
/** Room for the members around the lines, and for the line that stands for those that are left out. */
const AROUND = 300;

/**
 * The lines that fit: the first ones and the newest, with one line in place of those between them.
 * @param isWhole no line is missing
 */
export function fitLines(lines: readonly StoryLine[], isWhole = true): { lines: StoryLine[]; left_out: number } {
  const room = MOST_EXPLAINED - AROUND;
  const sizes = lines.map((line) => jsonBytes(line) + 1);
  const whole = sizes.reduce((sum, bytes) => sum + bytes, 0);
  if (whole <= room) return { lines: [...lines], left_out: 0 };
  let first = 0;
  for (let bytes = 0; bytes + (sizes[first] ?? 0) <= room * FIRST; first += 1) bytes += sizes[first] ?? 0;
  let last = lines.length;
  for (let bytes = 0; last > first && bytes + (sizes[last - 1] ?? 0) <= room * (1 - FIRST); last -= 1) {
    bytes += sizes[last - 1] ?? 0;
  }
  const between = lines[first];
  if (between === undefined) return { lines: [...lines], left_out: 0 };
  const count = last - first;
  const gap = {
    text: `… ${isWhole ? '' : 'at least '}${count} lines are left out.`,
    depth: between.depth,
    event_id: between.event_id,
  };
  return { lines: [...lines.slice(0, first), gap, ...lines.slice(last)], left_out: count };
}
