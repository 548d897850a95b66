import type { RunListEntry } from '../../shared/schemas/index.ts';
import type { Place, ReadTransaction } from '../kernel/log/index.ts';

export interface AnalyticsFilter {
  /** First and last day of the window, `YYYY-MM-DD` UTC. */
  from: string;
  to: string;
  type: string | undefined;
}

const parametersOf = (place: Place, { from, to, type }: AnalyticsFilter): string[] => [
  place.org,
  place.playbook,
  from,
  to,
  ...(type === undefined ? [] : [type]),
];

// A run counts on the day it first started, once it has ended.
const whereOf = ({ type }: AnalyticsFilter): string =>
  `org = $1 AND playbook = $2 AND started_day >= $3 AND started_day <= $4 AND status <> 'started'${type === undefined ? '' : ' AND type = $5'}`;

export interface DayCounts {
  day: string;
  total: number;
  succeeded: number;
  failed: number;
  rejected: number;
  tokens_input: number;
  tokens_output: number;
  tokens_cached: number;
}

export async function selectDayCounts(
  tx: ReadTransaction,
  place: Place,
  filter: AnalyticsFilter,
): Promise<DayCounts[]> {
  return tx.all(
    `SELECT started_day AS day, COUNT(*) AS total,
       SUM(CASE WHEN status = 'succeeded' THEN 1 ELSE 0 END) AS succeeded,
       SUM(CASE WHEN status = 'failed' THEN 1 ELSE 0 END) AS failed,
       SUM(CASE WHEN status = 'rejected' THEN 1 ELSE 0 END) AS rejected,
       SUM(tokens_input) AS tokens_input, SUM(tokens_output) AS tokens_output, SUM(tokens_cached) AS tokens_cached
     FROM runs WHERE ${whereOf(filter)} GROUP BY started_day`,
    parametersOf(place, filter),
  );
}

export interface OutcomeCount extends Pick<RunListEntry, 'status'> {
  reason: string | null;
  kind: string | null;
  runs: number;
}

export async function selectOutcomeCounts(
  tx: ReadTransaction,
  place: Place,
  filter: AnalyticsFilter,
): Promise<OutcomeCount[]> {
  return tx.all(
    `SELECT status, reason, kind, COUNT(*) AS runs FROM runs WHERE ${whereOf(filter)} GROUP BY status, reason, kind`,
    parametersOf(place, filter),
  );
}

export interface DayPercentiles {
  /** The day, or the empty text for the whole window. */
  day: string;
  p50: number;
  p95: number;
}

/** Nearest ranks, place ceil(p n) of n sorted durations, of runs that succeeded or failed. */
export async function selectPercentiles(
  tx: ReadTransaction,
  place: Place,
  filter: AnalyticsFilter,
  by: 'day' | 'window',
): Promise<DayPercentiles[]> {
  const group = by === 'day' ? 'started_day' : `''`;
  return tx.all(
    `SELECT day, MAX(CASE WHEN place = (50 * n + 99) / 100 THEN duration_ms END) AS p50,
       MAX(CASE WHEN place = (95 * n + 99) / 100 THEN duration_ms END) AS p95
     FROM (
       SELECT ${group} AS day, duration_ms, ROW_NUMBER() OVER (PARTITION BY ${group} ORDER BY duration_ms) AS place,
         COUNT(*) OVER (PARTITION BY ${group}) AS n
       FROM runs WHERE ${whereOf(filter)} AND status <> 'rejected' AND duration_ms IS NOT NULL
     ) ranked GROUP BY day`,
    parametersOf(place, filter),
  );
}

export interface FunctionCount {
  type: string;
  name: string;
  runs: number;
}

export async function selectFunctionCounts(
  tx: ReadTransaction,
  place: Place,
  filter: AnalyticsFilter,
): Promise<FunctionCount[]> {
  return tx.all(
    `SELECT type, name, COUNT(*) AS runs FROM runs WHERE ${whereOf(filter)}
     GROUP BY type, name ORDER BY runs DESC, type, name`,
    parametersOf(place, filter),
  );
}
