import type { RunListEntry } from '../../../shared/schemas/index.ts';
import type { PlaybookKey, ReadTransaction } from '../../kernel/log/index.ts';
import { LONGEST_COUNTED_EXACTLY } from '../runs/index.ts';

export interface AnalyticsFilter {
  /** First and last day of the window, `YYYY-MM-DD` UTC. */
  from: string;
  to: string;
  type: string | undefined;
}

const parametersOf = (playbookKey: PlaybookKey, { from, to, type }: AnalyticsFilter): string[] => [
  playbookKey.org,
  playbookKey.playbook,
  from,
  to,
  ...(type === undefined ? [] : [type]),
];

const whereOf = ({ type }: AnalyticsFilter): string =>
  `org = $1 AND playbook = $2 AND day >= $3 AND day <= $4${type === undefined ? '' : ' AND type = $5'}`;

/** The ended runs of one type that first started on one day. */
export interface DayCounts {
  day: string;
  /** How many succeeded or failed within which time, as `readDurations` of runs reads it. */
  durations: string;
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
  playbookKey: PlaybookKey,
  filter: AnalyticsFilter,
): Promise<DayCounts[]> {
  return tx.all(
    `SELECT day, durations, total, succeeded, failed, rejected, tokens_input, tokens_output, tokens_cached
     FROM run_days WHERE ${whereOf(filter)}`,
    parametersOf(playbookKey, filter),
  );
}

export interface OutcomeCount extends Pick<RunListEntry, 'status'> {
  day: string;
  reason: string;
  kind: string;
  runs: number;
}

/** How the runs of each day ended; an empty `reason` or `kind` is none. */
export async function selectOutcomeCounts(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  filter: AnalyticsFilter,
): Promise<OutcomeCount[]> {
  return tx.all(
    `SELECT day, status, reason, kind, SUM(runs) AS runs FROM run_endings WHERE ${whereOf(filter)}
     GROUP BY day, status, reason, kind`,
    parametersOf(playbookKey, filter),
  );
}

export interface FunctionCount {
  type: string;
  name: string;
  runs: number;
}

export async function selectFunctionCounts(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  filter: AnalyticsFilter,
): Promise<FunctionCount[]> {
  return tx.all(
    `SELECT type, name, SUM(runs) AS runs FROM run_endings WHERE ${whereOf(filter)}
     GROUP BY type, name ORDER BY SUM(runs) DESC, type, name`,
    parametersOf(playbookKey, filter),
  );
}

export interface DurationCount {
  duration_ms: number;
  runs: number;
}

/** Durations in a range behind `LONGEST_COUNTED_EXACTLY`, shortest first, of the runs of these days that succeeded or failed. */
export async function selectDurations(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  { days, type, from, to }: { days: readonly string[]; type: string | undefined; from: number; to: number },
): Promise<DurationCount[]> {
  const names = days.map((_day, index) => `$${index + 5}`);
  const ofType = type === undefined ? '' : ` AND type = $${days.length + 5}`;
  return tx.all(
    `SELECT duration_ms, COUNT(*) AS runs FROM runs
     WHERE org = $1 AND playbook = $2 AND started_day IN (${names.join(', ')})
       AND duration_ms >= $3 AND duration_ms <= $4${ofType} AND status <> 'rejected' AND duration_ms > ${LONGEST_COUNTED_EXACTLY}
     GROUP BY duration_ms ORDER BY duration_ms`,
    [playbookKey.org, playbookKey.playbook, from, to, ...days, ...(type === undefined ? [] : [type])],
  );
}
