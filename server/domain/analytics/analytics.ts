import { RUN_OUTCOME_NAMES, type RunOutcome, runOutcomeOf } from '../../../shared/status-label.ts';
import type { Analytics } from '../../../shared/schemas/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { EventLog, PlaybookKey } from '../../kernel/log/index.ts';
import { requirePlaybook } from '../playbooks/index.ts';
import { addDurations, type Durations, readDurations } from '../runs/index.ts';
import { type Percentiles, percentilesOf } from './percentiles.ts';
import {
  type AnalyticsFilter,
  type DayCounts,
  type OutcomeCount,
  selectDayCounts,
  selectFunctionCounts,
  selectOutcomeCounts,
} from './sql.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Summaries of ended runs, by the contract's counting rules. */
export interface AnalyticsReader {
  /** @param days how many UTC days the window covers, today's included */
  summarize(playbookKey: PlaybookKey, days: number, type: string | undefined): Promise<Analytics>;
}

export function createAnalytics(log: EventLog, clock: Clock): AnalyticsReader {
  return {
    summarize: (playbookKey, days, type) =>
      log.read(async (tx) => {
        await requirePlaybook(tx, playbookKey);
        const window = daysOfWindow(clock.now(), days);
        const filter: AnalyticsFilter = { from: String(window[0]), to: String(window.at(-1)), type };
        const counts = Map.groupBy(await selectDayCounts(tx, playbookKey, filter), ({ day }) => day);
        const durations = new Map([...counts].map(([day, rows]) => [day, durationsOf(rows)]));
        const outcomes = await selectOutcomeCounts(tx, playbookKey, filter);
        const outcomesByDay = Map.groupBy(outcomes, ({ day }) => day);
        const functions = await selectFunctionCounts(tx, playbookKey, filter);
        const byDay: Analytics['by_day'] = [];
        for (const day of window) {
          const ofDay = new Map([[day, durations.get(day) ?? NO_DURATIONS]]);
          const percentiles = await percentilesOf(tx, playbookKey, ofDay, type);
          byDay.push({
            day,
            ...summaryOf(counts.get(day) ?? [], percentiles),
            outcomes: outcomesOf(outcomesByDay.get(day) ?? []),
          });
        }
        return {
          days,
          ...summaryOf([...counts.values()].flat(), await percentilesOf(tx, playbookKey, durations, type)),
          outcomes: outcomesOf(outcomes),
          by_day: byDay,
          by_function: functions.map(({ type: of, name, runs }) => ({
            type: of as Analytics['by_function'][number]['type'],
            name,
            runs: Number(runs),
          })),
        };
      }),
  };
}

const NO_DURATIONS: Durations = new Map();

/** Of runs of all types. */
function durationsOf(rows: readonly DayCounts[]): Durations {
  const all: Durations = new Map();
  for (const { durations } of rows) addDurations(all, readDurations(durations));
  return all;
}

/** The UTC days of the window, oldest first. */
function daysOfWindow(now: number, days: number): string[] {
  return Array.from({ length: days }, (_, index) =>
    new Date(now - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

function outcomesOf(rows: readonly OutcomeCount[]): Analytics['outcomes'] {
  const counts = Object.fromEntries(RUN_OUTCOME_NAMES.map((name) => [name, 0])) as Record<RunOutcome, number>;
  for (const { status, reason, kind, runs } of rows) {
    const outcome = runOutcomeOf({ status, reason, kind });
    if (outcome !== undefined) counts[outcome] += Number(runs);
  }
  return counts;
}

function summaryOf(
  rows: readonly DayCounts[],
  percentiles: Percentiles,
): Pick<Analytics, 'runs' | 'tokens' | 'duration_ms'> {
  const sum = (column: Exclude<keyof DayCounts, 'day'>): number =>
    rows.reduce((total, row) => total + Number(row[column]), 0);
  return {
    runs: {
      total: sum('total'),
      succeeded: sum('succeeded'),
      failed: sum('failed'),
      rejected: sum('rejected'),
    },
    tokens: { input: sum('tokens_input'), output: sum('tokens_output'), cached: sum('tokens_cached') },
    duration_ms: percentiles,
  };
}
