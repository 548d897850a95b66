// Carries a case out on its database, under a schedule: starts the service, ends it, starts it again, sends what is
// waited for, and moves the clock when nothing else can happen. The same case and schedule go the same way.
import Database from 'better-sqlite3';
import { createFakeClock } from '../../lib/clock.ts';
import type { Task } from '../../kernel/tasks/index.ts';
import { type Ask, cancelTop, createCallers, retirePlaybook, startTop, TOP } from './callers.testing.ts';
import type { Parts } from './parts.testing.ts';
import { type ServiceProcess, startProcess } from './process.testing.ts';
import { inTurn, type Schedule } from './schedule.testing.ts';
import { createTrace } from './trace.testing.ts';

export interface Case {
  file: string;
  /** Types of events that the workflow at the top takes when they are sent to it. */
  sentTypes: readonly string[];
  /** What starts the run; absent: the workflow `main` is started. */
  begin?: Ask;
}

/** How a case went. */
export interface Course {
  /** What was seen to be wrong meanwhile. */
  errors: unknown[];
  /** Commits of all starts together. */
  commits: number;
}

/** A case that needs more is taken to go round in circles. */
const MOST_COMMITS = 20_000;

/** Answers when all runs have ended, or wait for what does not come. */
export async function execute(
  parts: Parts,
  { file, sentTypes, begin = startTop }: Case,
  schedule: Schedule,
): Promise<Course> {
  const clock = createFakeClock();
  const looking = new Database(file, { readonly: true });
  const trace = createTrace(looking);
  const onError = (error: unknown): void => void trace.errors.push(error);
  const pick = inTurn(schedule.picks, 0);
  const copy = inTurn(schedule.copies, null);
  const callers = createCallers({ looking, resends: inTurn(schedule.resends, false), onError });
  const isSlow = inTurn(schedule.slows, false);
  const crashes = [...schedule.crashes];
  let happenings = happeningsOf();
  let commits = 0;
  let commitsOfStart = 0;

  /** What happens after so many commits. */
  function happeningsOf(): { after: number; happens: (service: ServiceProcess) => void }[] {
    const { early, jumps, stop } = schedule;
    const types = sentTypes.slice(0, early).flatMap((type) => [type, type]);
    return [
      ...types.map((type) => ({
        // The first commit is the claiming of tasks; with the second one the run is there.
        after: 2,
        happens: (service: ServiceProcess) => callers.supply(service, { runId: TOP, type, listener: 'none yet' }),
      })),
      ...jumps.map(({ after, milliseconds }) => ({ after, happens: () => clock.advance(milliseconds) })),
      ...(stop === null
        ? []
        : [
            {
              after: stop.after,
              happens: (service: ServiceProcess) =>
                callers.ask(service, stop.by === 'cancel' ? cancelTop : retirePlaybook),
            },
          ]),
    ];
  }

  function happen(service: ServiceProcess, isMeant: (after: number) => boolean): void {
    const now = happenings.filter(({ after }) => isMeant(after));
    happenings = happenings.filter(({ after }) => !isMeant(after));
    for (const { happens } of now) happens(service);
  }

  function start(): ServiceProcess {
    commitsOfStart = 0;
    const service = startProcess({
      file,
      clock,
      parts,
      watch: { ...trace, isSlow },
      comesAgain: (task) => (mayComeAgain(task) ? (copy() ?? undefined) : undefined),
      onTask: (task, now) => trace.taskBegun(task, now),
      onError,
    });
    service.begin().then(() => callers.greet(service), onError);
    return service;
  }

  /** Commits until nothing waits for a commit; false when the process is to end now. */
  async function goOn(service: ServiceProcess): Promise<boolean> {
    while ((await service.settle()) > 0) {
      const isLast = (crashes[0]?.after ?? Number.POSITIVE_INFINITY) <= commitsOfStart;
      if (isLast && crashes.shift()?.isHeard === true) return false;
      await service.commit(pick(), isLast);
      if (isLast) return false;
      commits += 1;
      commitsOfStart += 1;
      if (commits > MOST_COMMITS) throw new Error('The case goes round in circles.');
      happen(service, (after) => after <= commits);
    }
    return true;
  }

  let service = start();
  try {
    callers.ask(service, begin);
    for (;;) {
      if (!(await goOn(service))) {
        await service.kill();
        acquit(file);
        service = start();
        continue;
      }
      trace.idle();
      const needed = callers.needed();
      const one = pick() % Math.max(1, needed.length);
      const next = nextTime(looking, clock.now());
      if (needed.length > 0) {
        for (const listen of schedule.isBurst ? needed : needed.slice(one, one + 1)) callers.supply(service, listen);
      } else if (next !== undefined) clock.advance(Math.max(0, next - clock.now()));
      else if (happenings.length > 0) happen(service, () => true);
      else return { errors: trace.errors, commits };
    }
  } finally {
    await service.kill();
    looking.close();
  }
}

/**
 * The schedule ends the process, not a task, so no task is to be given up. Each may become a suspect again and again,
 * so that suspects are parked here too.
 */
function acquit(file: string): void {
  const database = new Database(file);
  database.exec(`UPDATE tasks SET deaths = 1 WHERE deaths > 1 AND claimed_by IS NOT 'parked'`);
  database.close();
}

/** Inputs come once more; what is to be started or called is protected by its task alone. */
function mayComeAgain({ kind }: Task): boolean {
  return kind === 'run-input';
}

const DAY = 86_400_000;

/** When something happens next by itself; what bounds a run or a step comes later than a case lasts. */
function nextTime(looking: Database.Database, now: number): number | undefined {
  const next = looking
    .prepare('SELECT MIN(due_at) FROM tasks WHERE due_at < ?')
    .pluck()
    .get(now + 100 * DAY);
  return next === null ? undefined : Number(next);
}
