// What stands in a database after all runs of a case have ended: what is compared, and what must always hold.
import Database from 'better-sqlite3';
import type { JsonObject } from '../../../shared/json.ts';

interface RunRow {
  run_id: string;
  type: string;
  name: string;
  status: string;
  called_by: string | null;
}

interface EventRow {
  stream: string;
  type: string;
  data: string;
}

/** How a run ended, by what called it and what it came to; runs below a race are left out. */
export function endingsOf(file: string): string[] {
  return looking(file, (database) => {
    const runs = database.prepare('SELECT run_id, type, name, status, called_by FROM runs').all() as RunRow[];
    const byId = new Map(runs.map((run) => [run.run_id, run]));
    return runs
      .filter((run) => !isBelowRace(run, byId))
      .map((run) => {
        const events = eventsOf(database, run.run_id);
        const steps = events.filter(({ type }) => STEP_ENDINGS.includes(type)).map(stepEnding);
        // A call that was on its way when the run ended is answered after it.
        const last = events.findLast(({ type }) => RUN_ENDINGS.includes(type));
        const told = { path: pathOf(run, byId), status: run.status, ending: last && neutral(JSON.parse(last.data)) };
        return JSON.stringify({ ...told, steps: steps.filter((step) => step !== undefined).toSorted() }, null, 1);
      })
      .toSorted();
  });
}

const RUN_ENDINGS = ['run_succeeded', 'run_rejected', 'run_failed'];
const STEP_ENDINGS = ['step_finished', 'step_failed', 'step_skipped'];
const UNORDERED = /\/(race|effect)\d+/;
const BELOW_UNORDERED = /\/(race|effect)\d+\//;

function isBelowRace(run: RunRow, byId: ReadonlyMap<string, RunRow>): boolean {
  if (run.called_by === null) return false;
  const { run_id: caller, reference } = JSON.parse(run.called_by) as { run_id: string; reference: string };
  const above = byId.get(caller);
  return UNORDERED.test(reference) || (above !== undefined && isBelowRace(above, byId));
}

function pathOf(run: RunRow, byId: ReadonlyMap<string, RunRow>): string {
  const own = `${run.type}/${run.name}`;
  if (run.called_by === null) return own;
  const { run_id: caller, reference } = JSON.parse(run.called_by) as { run_id: string; reference: string };
  const above = byId.get(caller);
  return `${above === undefined ? '?' : pathOf(above, byId)} ${reference} ${own}`;
}

function stepEnding({ type, data }: EventRow): string | undefined {
  const { step, output, error } = JSON.parse(data) as JsonObject;
  if (BELOW_UNORDERED.test(String(step))) return undefined;
  return JSON.stringify(neutral({ type, step, output, error } as JsonObject));
}

/** Ids and times are a run's own. */
function neutral(value: JsonObject): JsonObject {
  const { attempt: _attempt, ...rest } = value;
  const text = JSON.stringify(rest)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  return JSON.parse(text) as JsonObject;
}

function eventsOf(database: Database.Database, runId: string): EventRow[] {
  return database
    .prepare('SELECT stream, type, data FROM events WHERE stream = ? ORDER BY position')
    .all(`run-${runId}`) as EventRow[];
}

/** How one run ended: its status and what it came to. */
export function endingOf(file: string, runId: string): string | undefined {
  return looking(file, (database) => {
    const last = eventsOf(database, runId).findLast(({ type }) => RUN_ENDINGS.includes(type));
    return last && JSON.stringify({ type: last.type, ...neutral(JSON.parse(last.data) as JsonObject) });
  });
}

/** The steps of a run in their iterations, in the order in which they first moved. */
export function visitsOf(file: string, runId: string): { step: string; iterations: number[]; kind: string }[] {
  return looking(file, (database) => {
    const moved = eventsOf(database, runId).filter(({ type }) => type.startsWith('step_'));
    const visits = moved.map(({ data }) => {
      const { step, kind, iterations = [] } = JSON.parse(data) as { step: string; kind: string; iterations?: number[] };
      return JSON.stringify({ step, kind, iterations });
    });
    return [...new Set(visits)].map((text) => JSON.parse(text) as ReturnType<typeof visitsOf>[number]);
  });
}

/** Everything that must hold of any database in which nothing goes on; each breach in words. */
export function breachesOf(file: string): string[] {
  return looking(file, (database) => [
    ...gaps(database),
    ...twice(database),
    ...badAttempts(database),
    ...leftRows(database),
  ]);
}

function gaps(database: Database.Database): string[] {
  const positions = database
    .prepare(
      `SELECT stream, COUNT(*) AS count, MAX(position) AS last, MIN(position) AS first FROM events
       GROUP BY org, playbook, stream HAVING count <> last OR first <> 1`,
    )
    .all();
  const reading = database
    .prepare(
      `SELECT COUNT(read_position) AS count, MAX(read_position) AS last FROM events
       GROUP BY org, playbook HAVING count <> last`,
    )
    .all();
  return [...positions, ...reading].map((gap) => `a gap: ${JSON.stringify(gap)}`);
}

/** Timers fire once, called runs end once for who waits for them, calls are answered once. */
const ONCE = ['timer_due', 'called_run_ended', 'call_answered'];

function twice(database: Database.Database): string[] {
  const applied = database
    .prepare(`SELECT stream, type, data FROM events WHERE type = 'workflow_input_applied'`)
    .all() as EventRow[];
  const seen = new Map<string, number>();
  for (const { stream, data } of applied) {
    const { kind, key } = JSON.parse(data) as JsonObject;
    const name = `${stream} ${String(kind)} ${String(key)}`;
    if (ONCE.includes(String(kind))) seen.set(name, (seen.get(name) ?? 0) + 1);
  }
  return [...seen].filter(([, count]) => count > 1).map(([name, count]) => `${name} was applied ${count} times`);
}

/** Each run has one ending behind each start, and only an interrupted attempt is followed by another one. */
function badAttempts(database: Database.Database): string[] {
  const runs = database.prepare('SELECT run_id, type, name, status, called_by FROM runs').all() as RunRow[];
  return runs.flatMap((run) => {
    const events = eventsOf(database, run.run_id);
    const told = events
      .filter(({ type }) => ['run_started', 'run_succeeded', 'run_rejected', 'run_failed'].includes(type))
      .map(({ type, data }) => (type === 'run_failed' && data.includes('"interrupted"') ? 'interrupted' : type));
    const text = told.join(' ');
    const isSound = /^(run_started (interrupted|run_(succeeded|rejected|failed)$)( |$))+$/.test(text);
    return isSound ? [] : [`${run.type}/${run.name} ${run.run_id} has the attempts ${text}`];
  });
}

/** Runs that steps have called and that are not there, also those that nobody waits for. */
export function missingRunsOf(file: string): string[] {
  return looking(file, missingRuns);
}

function missingRuns(database: Database.Database): string[] {
  const finished = database
    .prepare(`SELECT stream, type, data FROM events WHERE type = 'step_finished' AND stream LIKE 'run-%'`)
    .all() as EventRow[];
  const called = database.prepare('SELECT called_by FROM runs WHERE called_by IS NOT NULL').pluck().all() as string[];
  const missing = new Map<string, number>();
  const count = (caller: string, reference: string, by: number): void => {
    const name = `${caller} ${reference}`;
    missing.set(name, (missing.get(name) ?? 0) + by);
  };
  for (const { stream, data } of finished) {
    const { kind, step } = JSON.parse(data) as JsonObject;
    if (kind === 'run' || (kind === 'call' && !UNORDERED.test(String(step))))
      count(stream.slice('run-'.length), String(step), 1);
  }
  for (const text of called) {
    const { run_id: caller, reference } = JSON.parse(text) as { run_id: string; reference: string };
    count(caller, reference, -1);
  }
  return [...missing]
    .filter(([, left]) => left > 0)
    .map(([name, left]) => `${left} runs that ${name} called are missing`);
}

// Events that a run took stay, for its reruns.
const EMPTY = ['run_parts', 'run_waiters', 'run_calls', 'run_mailbox WHERE taken = 0', 'requests', 'tasks'];

function leftRows(database: Database.Database): string[] {
  const rows = EMPTY.flatMap((table) =>
    database
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .map((row) => `left in ${table}: ${JSON.stringify(row)}`),
  );
  const listening = database.prepare(`SELECT * FROM event_subscriptions WHERE reaction = 'run'`).all();
  return [...rows, ...listening.map((row) => `still subscribed: ${JSON.stringify(row)}`)];
}

/** The rows of tables, as they are. */
export function dump(file: string, tables: readonly string[]): Record<string, unknown[]> {
  return looking(file, (database) =>
    Object.fromEntries(
      tables.map((table) => [
        table,
        database
          .prepare(`SELECT * FROM ${table}`)
          .all()
          .map((row) => JSON.stringify(row))
          .toSorted(),
      ]),
    ),
  );
}

function looking<T>(file: string, look: (database: Database.Database) => T): T {
  const database = new Database(file, { readonly: true });
  try {
    return look(database);
  } finally {
    database.close();
  }
}
