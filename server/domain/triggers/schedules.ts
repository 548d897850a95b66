// Schedules: what the clock starts, as people look at it, pause it and make up for times that it missed.
//
// 1. Pausing and resuming is recorded in the transaction that removes or adds the task of the next time.
// 2. A time has one run, whether the clock started it or a backfill: its id follows from the time (`tasks.ts`).
import type { Schedule, ScheduledTime } from '../../../shared/schemas/index.ts';
import { Runnables, type DefinitionKey, type Runnable } from '../definitions/index.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { type Clock, isoTime } from '../../lib/clock.ts';
import { sha256 } from '../../kernel/contents/index.ts';
import type { EventLog, PlaybookKey, ReadTransaction, WriteTransaction } from '../../kernel/log/index.ts';
import type { Tasks } from '../../kernel/tasks/index.ts';
import { conflict, invalidInput, notFound } from '../../lib/rejection.ts';
import type { Trigger } from '../../kinds/checked.ts';
import type { Triggering } from '../../kinds/durable.ts';
import { requireActivePlaybook, requirePlaybook } from '../playbooks/index.ts';
import { isTriggeredInProgress, type Runs, selectRun } from '../runs/index.ts';
import { putTriggers, selectAllTriggers, selectTriggers, type TriggerRow } from './sql.ts';
import { addTime, runIdOfTime, TIME_TASK } from './tasks.ts';

/** Times that an answer has, and that one request starts, at most. */
export const MOST_TIMES = 100;
const NEXT_TIMES = 5;

/** In milliseconds since 1970; both ends belong to it. */
interface Period {
  from: number;
  until: number;
}

interface Backfill {
  /** In milliseconds since 1970. */
  times: readonly number[];
  by: string;
  traceId: string;
}

type ClockTrigger = Exclude<Trigger, { kind: 'event' }>;

interface Found {
  key: DefinitionKey;
  row: TriggerRow;
  trigger: ClockTrigger;
  runnable: Runnable;
}

export interface SchedulesOptions {
  log: EventLog;
  clock: Clock;
  tasks: Tasks;
  triggering: Triggering;
  runs: Pick<Runs, 'startTriggered'>;
}

export class Schedules {
  readonly #options: SchedulesOptions;
  readonly #runnables = new Runnables();

  constructor(options: SchedulesOptions) {
    this.#options = options;
  }

  async list(playbookKey: PlaybookKey): Promise<Schedule[]> {
    const found = await this.#options.log.read(async (tx) => {
      await requirePlaybook(tx, playbookKey);
      const rows = await selectAllTriggers(tx, playbookKey);
      const clocked = rows.filter((row) => clockTriggerOf(row) !== undefined);
      const all: Found[] = [];
      for (const { name } of clocked) all.push(await this.#find(tx, playbookKey, name));
      return all;
    });
    return Promise.all(found.map((found) => this.#present(found)));
  }

  /** The times of a schedule in a period that has passed, with their runs. @throws Refused */
  async times(
    playbookKey: PlaybookKey,
    name: string,
    { from, until }: Period,
  ): Promise<{ times: ScheduledTime[]; hasMore: boolean }> {
    const found = await this.#options.log.read((tx) => this.#requireSchedule(tx, playbookKey, name));
    refuseAfter(found);
    const { next } = await this.#written(found);
    const last = Math.min(until, this.#options.clock.now());
    const times: number[] = [];
    // `every` counts from when it was set, and a time before that belongs to no schedule.
    let at = next(Math.max(from - 1, found.row.anchor));
    for (; at !== undefined && at <= last && times.length < MOST_TIMES; at = next(at)) times.push(at);
    const hasMore = at !== undefined && at <= last;
    return this.#options.log.read(async (tx) => {
      const answered: ScheduledTime[] = [];
      for (const time of times) answered.push(await this.#timeOf(tx, found, time));
      return { times: answered, hasMore };
    });
  }

  /** Has the clock start no runs until `resume`. A paused schedule stays as it is. @throws Refused */
  pause(playbookKey: PlaybookKey, name: string, by: string): Promise<Schedule> {
    return this.#change(playbookKey, name, by, true);
  }

  resume(playbookKey: PlaybookKey, name: string, by: string): Promise<Schedule> {
    return this.#change(playbookKey, name, by, false);
  }

  /** Starts the runs of past times that have none. @throws Refused if one of them is no time of the schedule */
  async backfill(playbookKey: PlaybookKey, name: string, { times, by, traceId }: Backfill): Promise<ScheduledTime[]> {
    const found = await this.#options.log.read(async (tx) => {
      await requireActivePlaybook(tx, playbookKey);
      return this.#find(tx, playbookKey, name);
    });
    refuseAfter(found);
    const { next } = await this.#written(found);
    const { key, row, runnable, trigger } = found;
    const wrong = times.findIndex((at) => at > this.#options.clock.now() || at <= row.anchor || next(at - 1) !== at);
    if (wrong !== -1) {
      const detail = `${isoTime(times[wrong] ?? 0)} is not a past time of the schedule; list_schedule_times shows its times since ${isoTime(row.anchor)}.`;
      throw invalidInput([{ pointer: `/times/${wrong}`, detail }]);
    }
    for (const at of times) {
      const runId = runIdOfTime(key, name, row.secret, at);
      let isChanged = false;
      // oxlint-disable-next-line no-await-in-loop -- in the order of the times
      await this.#options.runs.startTriggered({
        key,
        runnable,
        runId,
        input: {},
        inputSha256: sha256(canonicalJson({})),
        trigger: { kind: trigger.kind, reference: trigger.reference },
        depth: 0,
        by,
        traceId,
        mayCall: true,
        mayStart: async (tx) => {
          const now = await this.#find(tx, key, name);
          isChanged = now.row.triggers !== row.triggers || now.runnable.version !== runnable.version;
          return !isChanged && (await selectRun(tx, key, runId)) === undefined;
        },
      });
      if (isChanged) throw changed(name);
    }
    return this.#options.log.read(async (tx) => {
      const started: ScheduledTime[] = [];
      for (const at of times) started.push(await this.#timeOf(tx, found, at));
      return started;
    });
  }

  async #find(tx: ReadTransaction, playbookKey: PlaybookKey, name: string): Promise<Found> {
    const key: DefinitionKey = { org: playbookKey.org, playbook: playbookKey.playbook, type: 'workflow', name };
    const row = await selectTriggers(tx, key, name);
    const trigger = row && clockTriggerOf(row);
    if (row === undefined || trigger === undefined) {
      throw notFound(
        `The playbook ${playbookKey.playbook} has no active workflow ${name} with a schedule (cron, every or after); list_schedules shows those that have one.`,
      );
    }
    return { key, row, trigger, runnable: await this.#runnables.read(tx, key) };
  }

  async #requireSchedule(tx: ReadTransaction, playbookKey: PlaybookKey, name: string): Promise<Found> {
    await requirePlaybook(tx, playbookKey);
    return this.#find(tx, playbookKey, name);
  }

  /** What a document says about its times. */
  async #written({ runnable, row }: Pick<Found, 'runnable' | 'row'>) {
    const schedule = await this.#options.triggering.scheduleOf(runnable.source);
    return {
      timezone: this.#options.triggering.timeZoneOf(schedule),
      /** When the schedule fires next after a moment. */
      next: (after: number): number | undefined => this.#options.triggering.nextTime(schedule, row.anchor, after),
    };
  }

  async #present(found: Found): Promise<Schedule> {
    const { key, row, trigger } = found;
    const { paused } = row;
    const times: number[] = [];
    const { timezone, next } = await this.#written(found);
    if (trigger.kind !== 'after' && paused === undefined) {
      for (let at = next(this.#options.clock.now()); at !== undefined && times.length < NEXT_TIMES; at = next(at))
        times.push(at);
    }
    return {
      workflow: key.name,
      trigger,
      ...(timezone === undefined ? {} : { timezone }),
      set_at: isoTime(row.anchor),
      next_times: times.map(isoTime),
      ...(paused === undefined ? {} : { paused_at: isoTime(paused.at), paused_by: paused.by }),
    };
  }

  async #record(tx: WriteTransaction, { key, runnable }: Found, type: string, by: string): Promise<void> {
    const { type: kind, name } = key;
    const definition = { type: kind, name, version: runnable.version };
    await this.#options.log.append(tx, {
      org: key.org,
      playbook: key.playbook,
      stream: `schedule-${name}`,
      listed: false,
      events: [{ type, data: {}, metadata: { by, definition } }],
    });
  }

  /** Changes whether a schedule is paused. */
  async #change(playbookKey: PlaybookKey, name: string, by: string, isPausing: boolean): Promise<Schedule> {
    // Expressions of the document are read outside of the transaction.
    const before = await this.#options.log.read((tx) => this.#requireSchedule(tx, playbookKey, name));
    const { next } = await this.#written(before);
    const found = await this.#options.log.write(playbookKey, async (tx) => {
      await requireActivePlaybook(tx, playbookKey);
      const now = await this.#find(tx, playbookKey, name);
      if ((now.row.paused !== undefined) === isPausing) return now;
      if (now.row.triggers !== before.row.triggers) throw changed(name);
      const { paused: _paused, ...rest } = now.row;
      const row: TriggerRow = isPausing ? { ...rest, paused: { at: this.#options.clock.now(), by } } : rest;
      await this.#record(tx, now, isPausing ? 'schedule_paused' : 'schedule_resumed', by);
      await putTriggers(tx, playbookKey, name, row);
      if (isPausing) await this.#options.tasks.remove(tx, playbookKey, TIME_TASK, name);
      const at = isPausing ? undefined : await this.#timeAfterResuming(tx, now, next);
      if (at !== undefined) await addTime(this.#options.tasks, tx, playbookKey, name, at);
      return { ...now, row };
    });
    return this.#present(found);
  }

  /** Undefined where the end of a run in progress sets it. */
  async #timeAfterResuming(
    tx: WriteTransaction,
    { key, trigger }: Found,
    next: (after: number) => number | undefined,
  ): Promise<number | undefined> {
    if (trigger.kind !== 'after') return next(this.#options.clock.now());
    return (await isTriggeredInProgress(tx, key, 'after'))
      ? undefined
      : this.#options.clock.now() + trigger.milliseconds;
  }

  /** A time with the run that it has. */
  async #timeOf(tx: ReadTransaction, { key, row }: Found, at: number): Promise<ScheduledTime> {
    const run = await selectRun(tx, key, runIdOfTime(key, key.name, row.secret, at));
    return { time: isoTime(at), ...(run === undefined ? {} : { run_id: run.run_id, status: run.status }) };
  }
}

function clockTriggerOf({ triggers }: TriggerRow): ClockTrigger | undefined {
  const all = JSON.parse(triggers) as Trigger[];
  return all.find((trigger): trigger is ClockTrigger => trigger.kind !== 'event');
}

function refuseAfter({ key, trigger }: Found): void {
  if (trigger.kind !== 'after') return;
  throw conflict(
    `The workflow ${key.name} is started again after each of its runs, so it has no times of its own; start it with run_definition.`,
  );
}

function changed(name: string): Error {
  return conflict(`The workflow ${name} was saved in the meantime; read its schedule again and repeat the request.`);
}
