import './day-chart.css';
import dayjs from 'dayjs';
import { RUN_OUTCOME_NAMES, RUN_OUTCOMES, type RunOutcome } from '../../../shared/status-label.ts';
import type { Analytics } from '../../../shared/api/index.ts';
import { durationWords } from '../../../shared/duration-words.ts';
import { evenScale, roundDurations, type Scale } from './day-scale.ts';

export type Days = Analytics['by_day'];
export type Measure = 'runs' | 'tokens' | 'duration';

interface Series {
  name: string;
  label: string;
  colour: string;
  valueOf: (day: Days[number]) => number;
  /** Which runs a bar opens; undefined for all runs of the day. */
  outcome?: RunOutcome;
}

interface ChartMeasure {
  series: readonly Series[];
  /** Whether a series without any value is left out. */
  isSparse?: boolean;
  isStacked: boolean;
  words: (value: number) => string;
  scale: (values: readonly number[]) => Scale;
}

const count = (value: number): string => value.toLocaleString();

/** Close to the tones of the statuses, but distinct from each other. */
const OUTCOME_COLOURS: Readonly<Record<RunOutcome, string>> = {
  succeeded: 'teal-6',
  invalid_input: 'yellow-5',
  refused: 'orange-6',
  cancelled: 'gray-4',
  expired: 'gray-6',
  undelivered: 'indigo-3',
  program_error: 'pink-4',
  failed: 'red-7',
};

const MEASURES: Readonly<Record<Measure, ChartMeasure>> = {
  runs: {
    series: RUN_OUTCOME_NAMES.map((outcome) => ({
      name: outcome,
      label: RUN_OUTCOMES[outcome],
      colour: OUTCOME_COLOURS[outcome],
      valueOf: ({ outcomes }) => outcomes[outcome],
      outcome,
    })),
    isSparse: true,
    isStacked: true,
    words: count,
    scale: evenScale,
  },
  tokens: {
    series: [
      { name: 'input', label: 'Input', colour: 'indigo-5', valueOf: ({ tokens }) => tokens.input },
      { name: 'output', label: 'Output', colour: 'cyan-6', valueOf: ({ tokens }) => tokens.output },
    ],
    isStacked: true,
    words: count,
    scale: evenScale,
  },
  duration: {
    series: [
      { name: 'p50', label: '50th percentile', colour: 'indigo-5', valueOf: ({ duration_ms }) => duration_ms.p50 ?? 0 },
      { name: 'p95', label: '95th percentile', colour: 'grape-5', valueOf: ({ duration_ms }) => duration_ms.p95 ?? 0 },
    ],
    isStacked: false,
    words: durationWords,
    scale: roundDurations,
  },
};

/** Roughly how many days have a label below the bars. */
const NAMED_DAYS = 7;

export interface DayChartProps {
  days: Days;
  measure: Measure;
  onOpen: (day: string, outcome?: RunOutcome) => void;
}

/** Bars by day. The table below is the same for the keyboard and screen readers. */
export function DayChart({ days, measure, onOpen }: DayChartProps) {
  const { isSparse = false, isStacked, words, scale, ...shown } = MEASURES[measure];
  const series = shown.series.filter(({ valueOf }) => !isSparse || days.some((day) => valueOf(day) > 0));
  const highest = days.map((day) => {
    const values = series.map(({ valueOf }) => valueOf(day));
    return isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  const { ticks, shareOf } = scale(highest);
  const between = Math.ceil(days.length / NAMED_DAYS);
  return (
    <div aria-hidden className="day-chart">
      <div className="day-chart-ticks">
        {ticks.map((tick) => (
          <span key={tick} style={{ bottom: `${100 * shareOf(tick)}%` }}>
            {words(tick)}
          </span>
        ))}
      </div>
      <div className="day-chart-days">
        {ticks.map((tick) => (
          <div key={tick} className="day-chart-line" style={{ bottom: `${100 * shareOf(tick)}%` }} />
        ))}
        {days.map((day, index) => (
          <div key={day.day} className="day-chart-day" data-is-stacked={isStacked || undefined}>
            {series.map(({ name, colour, valueOf, outcome }) => (
              <div
                key={name}
                className="day-chart-bar"
                data-series={name}
                style={{
                  height: `${100 * shareOf(valueOf(day))}%`,
                  background: `var(--mantine-color-${colour})`,
                }}
                onClick={() => onOpen(day.day, outcome)}
              />
            ))}
            {index % between === 0 && (
              // Every second name is left out on a phone.
              <span className="day-chart-name" data-is-second={(index / between) % 2 === 1 || undefined}>
                {dayjs(day.day).format('D MMM')}
              </span>
            )}
            {(highest[index] ?? 0) > 0 && (
              <div className="day-chart-words" data-is-late={index > days.length / 2 || undefined}>
                <strong>{dayjs(day.day).format('D MMM YYYY')}</strong>
                {series
                  .filter(({ valueOf }) => !isSparse || valueOf(day) > 0)
                  .map(({ name, label, valueOf }) => (
                    <span key={name}>
                      {label}: {words(valueOf(day))}
                    </span>
                  ))}
              </div>
            )}
          </div>
        ))}
      </div>
      <div className="day-chart-legend">
        {series.map(({ name, label, colour }) => (
          <span key={name}>
            <span className="day-chart-colour" style={{ background: `var(--mantine-color-${colour})` }} />
            {label}
          </span>
        ))}
      </div>
    </div>
  );
}
