// The scale beside the bars of a chart.

export interface Scale {
  /** The labelled values, lowest first; the last is at the top. */
  ticks: readonly number[];
  /** The height of a value: 0 at the bottom, 1 at the last tick. */
  shareOf: (value: number) => number;
}

/** Evenly spaced whole numbers: 0, 5, 10, 15. */
export function evenScale(values: readonly number[]): Scale {
  const most = Math.max(1, ...values);
  const power = 10 ** Math.floor(Math.log10(most / 4));
  const step = Math.max(1, ([1, 2, 5, 10].find((round) => round * power * 4 >= most) ?? 10) * power);
  const ticks = Array.from({ length: Math.ceil(most / step) + 1 }, (_none, index) => index * step);
  return { ticks, shareOf: (value) => value / (ticks.at(-1) ?? 1) };
}

/** Milliseconds: 1 ms, 100 ms, 1 s, 1 min, 1 h, 1 d, 10 d. */
const ROUND_DURATIONS = [1, 100, 1_000, 60_000, 3_600_000, 86_400_000, 864_000_000];

/**
 * A logarithmic scale: calls of milliseconds would not be visible beside workflows of days on a linear one. It ends at
 * a round duration rather than a round number of milliseconds.
 */
export function roundDurations(values: readonly number[]): Scale {
  const longest = Math.max(1_000, ...values);
  const end = ROUND_DURATIONS.findIndex((round) => round >= longest);
  const ticks = end < 0 ? [...ROUND_DURATIONS, longest] : ROUND_DURATIONS.slice(0, end + 1);
  const top = Math.log(ticks.at(-1) ?? longest);
  // The shortest duration must be visible too.
  return { ticks, shareOf: (value) => (value <= 0 ? 0 : Math.max(0.01, Math.log(Math.max(1, value)) / top)) };
}
