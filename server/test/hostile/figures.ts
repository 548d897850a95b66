/** Of latencies in milliseconds; a percentile is the nearest rank. */
export interface Figures {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

export function figuresOf(latencies: readonly number[]): Figures {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

export function figureWords({ count, p50, p99, max }: Figures): string {
  const [half, most, worst] = [p50, p99, max].map((one) => one.toFixed(one < 10 ? 1 : 0));
  return `p50 ${half} ms, p99 ${most} ms, max ${worst} ms of ${count}`;
}
