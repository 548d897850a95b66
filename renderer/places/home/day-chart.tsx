import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import dayjs from 'dayjs';
import type { Analytics } from '../../../shared/schemas/index.ts';
import type { RunStatus } from '../../api/operations.ts';
import { durationWords } from '../../ui/durations.ts';

export type Days = Analytics['by_day'];
export type Measure = 'runs' | 'tokens' | 'duration';

interface Shown {
  series: readonly { name: string; label: string; color: string }[];
  isStacked: boolean;
  valuesOf: (day: Days[number]) => Record<string, number | null>;
  words: (value: number) => string;
  axisWidth: number;
  /** Where calls of milliseconds stand beside workflows of days, on an even scale the former are not seen. */
  isLogarithmic?: boolean;
}

const count = (value: number): string => value.toLocaleString();

const MEASURES: Readonly<Record<Measure, Shown>> = {
  runs: {
    series: [
      { name: 'succeeded', label: 'Succeeded', color: 'teal.6' },
      { name: 'rejected', label: 'Rejected', color: 'yellow.6' },
      { name: 'failed', label: 'Failed', color: 'red.6' },
    ],
    isStacked: true,
    valuesOf: ({ runs }) => ({ ...runs }),
    words: count,
    axisWidth: 40,
  },
  tokens: {
    series: [
      { name: 'input', label: 'Read', color: 'indigo.5' },
      { name: 'output', label: 'Written', color: 'cyan.6' },
    ],
    isStacked: true,
    valuesOf: ({ tokens: { input, output } }) => ({ input, output }),
    words: count,
    axisWidth: 64,
  },
  duration: {
    series: [
      { name: 'p50', label: 'Median', color: 'indigo.5' },
      { name: 'p95', label: '95th percentile', color: 'grape.5' },
    ],
    isStacked: false,
    valuesOf: ({ duration_ms: { p50, p95 } }) => ({ p50: p50 && Math.max(1, p50), p95: p95 && Math.max(1, p95) }),
    words: durationWords,
    axisWidth: 84,
    isLogarithmic: true,
  },
};
/** Milliseconds: 1 ms, 100 ms, 1 s, 1 min, 1 h, 1 d, 10 d. */
const ROUND_DURATIONS = [1, 100, 1_000, 60_000, 3_600_000, 86_400_000, 864_000_000];

/** An axis of powers ends at round durations, not at round numbers of milliseconds. */
function logarithmic(values: readonly number[]) {
  const longest = Math.max(1_000, ...values);
  const end = ROUND_DURATIONS.findIndex((round) => round >= longest);
  const ticks = end < 0 ? [...ROUND_DURATIONS, longest] : ROUND_DURATIONS.slice(0, end + 1);
  return { scale: 'log' as const, domain: [1, ticks.at(-1) ?? longest], ticks };
}

const STATUSES: readonly string[] = ['succeeded', 'rejected', 'failed'] satisfies RunStatus[];

export interface DayChartProps {
  days: Days;
  measure: Measure;
  onOpen: (day: string, status?: RunStatus) => void;
}

export function DayChart({ days, measure, onOpen }: DayChartProps) {
  const { series, isStacked, valuesOf, words, axisWidth, isLogarithmic = false } = MEASURES[measure];
  return (
    <div aria-hidden>
      <BarChart
        h={262}
        data={days.map((day) => ({ day: day.day, ...valuesOf(day) }))}
        dataKey="day"
        type={isStacked ? 'stacked' : 'default'}
        series={[...series]}
        withLegend
        legendProps={{ verticalAlign: 'bottom', height: 30 }}
        tickLine="none"
        valueFormatter={words}
        xAxisProps={{
          tickFormatter: (day: string) => dayjs(day).format('D MMM'),
          minTickGap: 24,
          interval: 'equidistantPreserveStart',
        }}
        yAxisProps={{
          allowDecimals: false,
          width: axisWidth,
          tickFormatter: words,
          ...(isLogarithmic
            ? logarithmic(days.flatMap((day) => Object.values(valuesOf(day)).map((value) => value ?? 0)))
            : {}),
        }}
        barProps={({ name }) => ({
          isAnimationActive: false,
          maxBarSize: 36,
          cursor: 'pointer',
          onClick: (bar: { payload?: { day?: string } }) => {
            const day = bar.payload?.day;
            if (day === undefined) return;
            if (STATUSES.includes(String(name))) onOpen(day, name as RunStatus);
            else onOpen(day);
          },
        })}
        barChartProps={{ accessibilityLayer: false }}
      />
    </div>
  );
}
