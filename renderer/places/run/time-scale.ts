// A time axis on which long stretches without any change are cut short.

export interface Gap {
  /** Shares of the line, 0 to 1. */
  from: number;
  to: number;
  /** The length in milliseconds. */
  length: number;
}

export interface TimeScale {
  /** The position of a moment on the axis, 0 to 1. */
  at: (moment: number) => number;
  gaps: readonly Gap[];
}

/** Milliseconds. Shorter stretches are never cut. */
const SHORTEST_GAP = 1_000;
/** A stretch is cut if it is this many times as long as all the rest. */
const TOO_LONG = 2;
/** The share of the axis that a cut stretch keeps. */
const GAP_SHARE = 0.07;
const MOST_GAPS = 6;

/** @param moments when something began or ended, and the present; milliseconds */
export function makeTimeScale(moments: readonly number[]): TimeScale {
  const sorted = [...new Set(moments)].toSorted((a, b) => a - b);
  const stretches = sorted.slice(1).map((end, index) => ({ start: sorted[index] as number, end, isCut: false }));
  let rest = stretches.reduce((sum, { start, end }) => sum + end - start, 0);
  const longestFirst = stretches.toSorted((a, b) => b.end - b.start - (a.end - a.start));
  for (const stretch of longestFirst.slice(0, MOST_GAPS)) {
    const length = stretch.end - stretch.start;
    if (length < SHORTEST_GAP || length < TOO_LONG * (rest - length)) break;
    stretch.isCut = true;
    rest -= length;
  }
  const cuts = stretches.filter(({ isCut }) => isCut).length;
  const forCuts = rest === 0 && cuts > 0 ? 1 / cuts : GAP_SHARE;
  const forRest = rest === 0 ? 0 : (1 - cuts * GAP_SHARE) / rest;

  const places = new Map<number, number>();
  const gaps: Gap[] = [];
  let from = 0;
  for (const { start, end, isCut } of stretches) {
    places.set(start, from);
    const to = from + (isCut ? forCuts : (end - start) * forRest);
    if (isCut) gaps.push({ from, to, length: end - start });
    places.set(end, to);
    from = to;
  }
  return { gaps, at: (moment) => places.get(moment) ?? 0 };
}
