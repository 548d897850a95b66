// Ended runs, counted by the day on which they first started: what analytics are read from.
//
// 1. A run is counted once it has ended, and no longer once it is attempted again.
// 2. What the transactions of one commit count is added up in memory and written once, before the commit. A transaction that
//    is refused counts nothing.
// 3. A row that counts nothing is gone, so that counting again gives the same rows.
import {
  type CommitMemory,
  createMemory,
  type Migration,
  type PlaybookKey,
  type WriteTransaction,
} from '../../../kernel/log/index.ts';
import { addDurations, type Durations, rangeOf, readDurations, writeDurations } from './durations.ts';

export const COUNT_TABLES = ['run_days', 'run_endings'] as const;

/** An ended run, as far as it is counted. */
export interface CountedRun extends PlaybookKey {
  started_at: string;
  type: string;
  name: string;
  status: 'succeeded' | 'rejected' | 'failed';
  reason: string | null;
  kind: string | null;
  duration_ms: number | null;
  tokens_input: number;
  tokens_output: number;
  tokens_cached: number;
}

/** The day on which a run first started, `YYYY-MM-DD` UTC. */
export function dayOf({ started_at: at }: Pick<CountedRun, 'started_at'>): string {
  return at.slice(0, 10);
}

/** Counts a run that ended; with -1 it is one no longer. */
export function countRun(tx: WriteTransaction, run: CountedRun, by: 1 | -1): void {
  const counted = tx.memory.shared(createCounted);
  counted.push({ run, by });
  tx.memory.onUndone(() => counted.pop());
}

interface CountedDay {
  key: readonly string[];
  sums: Record<(typeof SUMS)[number], number>;
  durations: Durations;
}

interface EndingCount {
  key: readonly string[];
  runs: number;
}

const TOKENS = ['tokens_input', 'tokens_output', 'tokens_cached'] as const;
const SUMS = ['total', 'succeeded', 'failed', 'rejected', ...TOKENS] as const;

function createCounted(memory: CommitMemory): { run: CountedRun; by: 1 | -1 }[] {
  const counted: { run: CountedRun; by: 1 | -1 }[] = [];
  memory.beforeCommit(async (tx) => {
    const days = new Map<string, CountedDay>();
    const endings = new Map<string, EndingCount>();
    for (const { run, by } of counted) {
      addToDay(days, run, by);
      addToEnding(endings, run, by);
    }
    for (const day of days.values()) await writeDay(tx, day);
    for (const ending of endings.values()) await writeEnding(tx, ending);
  });
  return counted;
}

function addToDay(days: Map<string, CountedDay>, run: CountedRun, by: 1 | -1): void {
  const key = [run.org, run.playbook, dayOf(run), run.type];
  const text = JSON.stringify(key);
  const day = days.get(text) ?? { key, sums: zeros(), durations: new Map() };
  days.set(text, day);
  day.sums.total += by;
  day.sums[run.status] += by;
  for (const column of TOKENS) day.sums[column] += by * Number(run[column]);
  if (run.status !== 'rejected') addDurations(day.durations, new Map([[rangeOf(Number(run.duration_ms)), by]]));
}

function addToEnding(endings: Map<string, EndingCount>, run: CountedRun, by: 1 | -1): void {
  const { org, playbook, type, name, status, reason, kind } = run;
  const key = [org, playbook, dayOf(run), type, name, status, reason ?? '', kind ?? ''];
  const text = JSON.stringify(key);
  const ending = endings.get(text) ?? { key, runs: 0 };
  ending.runs += by;
  endings.set(text, ending);
}

function zeros(): CountedDay['sums'] {
  return Object.fromEntries(SUMS.map((column) => [column, 0])) as CountedDay['sums'];
}

/** The durations of the days that were counted last. */
const knownDurations = createMemory<string>(100);

const DAY = 'org = $1 AND playbook = $2 AND day = $3 AND type = $4';

async function writeDay(tx: WriteTransaction, { key, sums, durations }: CountedDay): Promise<void> {
  const all = readDurations(await selectDurations(tx, key));
  addDurations(all, durations);
  const text = writeDurations(all);
  await tx.run(
    `INSERT INTO run_days (org, playbook, day, type, durations, ${SUMS.join(', ')})
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     ON CONFLICT (org, playbook, day, type) DO UPDATE SET durations = $5,
       ${SUMS.map((column, place) => `${column} = run_days.${column} + $${place + 6}`).join(', ')}`,
    [...key, text, ...SUMS.map((column) => sums[column])],
  );
  if (sums.total <= 0) await tx.run(`DELETE FROM run_days WHERE ${DAY} AND total = 0`, key);
  knownDurations.set(tx, key.join('\0'), sums.total <= 0 ? undefined : text);
}

async function selectDurations(tx: WriteTransaction, key: readonly string[]): Promise<string> {
  const known = knownDurations.get(tx, key.join('\0'));
  if (known !== undefined) return known;
  const row = await tx.get<{ durations: string }>(`SELECT durations FROM run_days WHERE ${DAY}`, key);
  return row?.durations ?? '[]';
}

async function writeEnding(tx: WriteTransaction, { key, runs }: EndingCount): Promise<void> {
  if (runs === 0) return;
  await tx.run(
    `INSERT INTO run_endings (org, playbook, day, type, name, status, reason, kind, runs)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (org, playbook, day, type, name, status, reason, kind) DO UPDATE SET runs = run_endings.runs + $9`,
    [...key, runs],
  );
  if (runs < 0) {
    await tx.run(
      `DELETE FROM run_endings WHERE ${DAY} AND name = $5 AND status = $6 AND reason = $7 AND kind = $8 AND runs = 0`,
      key,
    );
  }
}

/** Counts the runs that a database has already. */
export const countMigration: Migration = {
  id: 'runs/4',
  sql: `
      CREATE TABLE run_days (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        day TEXT NOT NULL,
        type TEXT NOT NULL,
        durations TEXT NOT NULL,
        ${SUMS.map((column) => `${column} BIGINT NOT NULL,`).join('\n        ')}
        PRIMARY KEY (org, playbook, day, type)
      );
      CREATE TABLE run_endings (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        day TEXT NOT NULL,
        type TEXT NOT NULL,
        name TEXT NOT NULL,
        status TEXT NOT NULL,
        reason TEXT NOT NULL,
        kind TEXT NOT NULL,
        runs BIGINT NOT NULL,
        PRIMARY KEY (org, playbook, day, type, name, status, reason, kind)
      );
      DROP INDEX runs_by_day;
      CREATE INDEX runs_by_duration ON runs (org, playbook, started_day, duration_ms, type)
        WHERE status <> 'rejected' AND duration_ms IS NOT NULL;
      INSERT INTO run_endings (org, playbook, day, type, name, status, reason, kind, runs)
        SELECT org, playbook, started_day, type, name, status, COALESCE(reason, ''), COALESCE(kind, ''), COUNT(*)
        FROM runs WHERE status <> 'started' GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
      INSERT INTO run_days (org, playbook, day, type, durations, ${SUMS.join(', ')})
        SELECT org, playbook, started_day, type, '[]', COUNT(*), SUM(CASE WHEN status = 'succeeded' THEN 1 ELSE 0 END),
          SUM(CASE WHEN status = 'failed' THEN 1 ELSE 0 END), SUM(CASE WHEN status = 'rejected' THEN 1 ELSE 0 END),
          SUM(tokens_input), SUM(tokens_output), SUM(tokens_cached)
        FROM runs WHERE status <> 'started' GROUP BY 1, 2, 3, 4;
      WITH RECURSIVE doublings (n, width) AS (
        SELECT 0, CAST(1 AS BIGINT) UNION ALL SELECT n + 1, width * 2 FROM doublings WHERE n < 45
      ), ranged AS (
        SELECT org, playbook, started_day AS day, type, n * 16 + duration_ms / width AS duration_range, COUNT(*) AS runs
        FROM runs JOIN doublings ON duration_ms < 32 * width AND (n = 0 OR duration_ms >= 16 * width)
        WHERE status IN ('succeeded', 'failed') AND duration_ms IS NOT NULL GROUP BY 1, 2, 3, 4, 5
      ), listed AS (
        SELECT org, playbook, day, type, '[' || string_agg(duration_range || ',' || runs, ',') || ']' AS durations
        FROM (SELECT * FROM ranged ORDER BY org, playbook, day, type, duration_range) AS ordered GROUP BY 1, 2, 3, 4
      )
      UPDATE run_days SET durations = listed.durations FROM listed
      WHERE run_days.org = listed.org AND run_days.playbook = listed.playbook AND run_days.day = listed.day
        AND run_days.type = listed.type;`,
};
