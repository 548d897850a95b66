// Triggers that fire: published events and the clock start runs of workflows.
//
// 1. A run is recorded in a transaction that looks at the definition's version of that moment: it is a run of the
//    version that is current then, or it is not started by that version's trigger at all.
// 2. An event, or a time, starts a run once: the run's id follows from it.
// 3. What was gathered is stored against what it was when the event was taken: an event that another one has overtaken is
//    taken again.
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../shared/json.ts';
import { Runnables, type DefinitionKey, type Runnable } from '../definitions/index.ts';
import { readPublished } from '../events/index.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import type { Clock } from '../../lib/clock.ts';
import { sha256 } from '../../kernel/contents/index.ts';
import {
  type EventLog,
  type PlaybookKey,
  selectEvent,
  type StoredEvent,
  type WriteTransaction,
} from '../../kernel/log/index.ts';
import { Refused } from '../../lib/rejection.ts';
import {
  isFirstTry,
  limitingDeaths,
  type Task,
  type TaskHandler,
  type TaskLease,
  type Tasks,
} from '../../kernel/tasks/index.ts';
import type { Trigger } from '../../kinds/checked.ts';
import type { CloudEvent, Triggering } from '../../kinds/durable.ts';
import { type Runs, selectRun, type TriggeredRun } from '../runs/index.ts';
import { createSerial } from '../../lib/gate.ts';
import { putTriggers, selectTriggers, type StoredGathering, type TriggerRow } from './sql.ts';
import {
  addTime,
  EVENT_TASK,
  type EventPayload,
  runIdOfEvent,
  runIdOfTime,
  TIME_TASK,
  type TimePayload,
} from './tasks.ts';

/** Reactions above a run, at most. */
const MOST_DEPTH = 16;
/** Gatherings that an event trigger keeps at once; the oldest goes when there are more. */
const MOST_GATHERINGS = 1000;
/** Events that one gathering holds at most; one that would hold more is given up. */
const MOST_GATHERED = 1000;

export interface FiringOptions {
  log: EventLog;
  clock: Clock;
  tasks: Tasks;
  triggering: Triggering;
  runs: Pick<Runs, 'startTriggered'>;
}

interface CurrentTrigger {
  key: DefinitionKey;
  runnable: Runnable;
  row: TriggerRow;
  triggers: Trigger[];
}

interface GatheredEvents {
  gatherings: StoredGathering[];
  /** The events that a run is to be started with. */
  starts: string[] | undefined;
  isGivenUp?: true;
}

/** Runs the tasks of triggers. */
export class Firing {
  readonly #options: FiringOptions;
  readonly #runnables = new Runnables();
  readonly #serially = createSerial();
  readonly handlers: Readonly<Record<string, TaskHandler>> = {
    [EVENT_TASK]: limitingDeaths(
      (task, lease) => this.#guarded(task, lease, () => this.#onEvent(task, lease)),
      (task, lease) => this.#guarded(task, lease, () => this.#passOver(task, lease)),
    ),
    [TIME_TASK]: limitingDeaths(
      (task, lease) => this.#guarded(task, lease, () => this.#onTime(task, lease)),
      (task, lease) => this.#guarded(task, lease, () => this.#passOver(task, lease)),
    ),
  };

  constructor(options: FiringOptions) {
    this.#options = options;
  }

  /** The workflow as it stands now; undefined where it was retired or has no trigger any longer. */
  #current(task: Task, name: string): Promise<CurrentTrigger | undefined> {
    const key: DefinitionKey = { org: task.org, playbook: task.playbook, type: 'workflow', name };
    return this.#options.log.read(async (tx) => {
      const row = await selectTriggers(tx, key, name);
      if (row === undefined) return undefined;
      return {
        key,
        row,
        runnable: await this.#runnables.read(tx, key),
        triggers: JSON.parse(row.triggers) as Trigger[],
      };
    });
  }

  #scheduleOf({ source }: Runnable): Promise<JsonObject | undefined> {
    return this.#options.triggering.scheduleOf(source);
  }

  async #eventsOf(playbookKey: PlaybookKey, ids: readonly string[]): Promise<CloudEvent[]> {
    return this.#options.log.read(async (tx) => {
      const events: CloudEvent[] = [];
      for (const id of ids) {
        const stored = await selectEvent(tx, playbookKey, id);
        if (stored !== undefined)
          events.push({ specversion: '1.0', ...(await readPublished(tx, stored)).event } as CloudEvent);
      }
      return events;
    });
  }

  /** What taking the event makes of what was gathered; undefined when nothing takes it. */
  async #gather({ key, runnable, row }: CurrentTrigger, eventId: string): Promise<GatheredEvents | undefined> {
    const [event] = await this.#eventsOf(key, [eventId]);
    if (event === undefined) return undefined;
    const { source, version } = runnable;
    const run = { ...key, runId: '', version, source, now: this.#options.clock.now() };
    for (const [index, gathering] of [...row.gatherings, NOTHING_GATHERED].entries()) {
      const events = await this.#eventsOf(key, gathering.events);
      const taken = await this.#options.triggering.gather(run, { consumption: gathering.consumption, events }, event);
      if (taken === undefined) continue;
      const gathered = taken.isKept ? [...gathering.events, eventId] : gathering.events;
      const others = row.gatherings.toSpliced(index, 1);
      if (taken.isDone) return { gatherings: others, starts: gathered };
      if (gathered.length > MOST_GATHERED) return { gatherings: others, starts: undefined, isGivenUp: true };
      const kept = row.gatherings.toSpliced(index, 1, { consumption: taken.consumption, events: gathered });
      return { gatherings: kept.slice(-MOST_GATHERINGS), starts: undefined };
    }
    return undefined;
  }

  async #onEvent(task: Task, lease: TaskLease): Promise<void> {
    const { name, event_id: eventId } = task.payload as EventPayload;
    for (;;) {
      const now = await this.#current(task, name);
      const gathered = now && (await this.#gather(now, eventId));
      if (now === undefined || gathered === undefined) return this.#options.log.write(task, (tx) => lease.finish(tx));
      const { key, row, runnable } = now;
      const event = await this.#options.log.read((tx) => selectEvent(tx, key, eventId));
      const isUnchanged = async (tx: WriteTransaction): Promise<boolean> => {
        const found = await selectTriggers(tx, key, name);
        if (found?.triggers !== row.triggers) return false;
        // Another process that shares the store may have taken an event meanwhile.
        if (!isDeepStrictEqual(found.gatherings, row.gatherings)) return false;
        if ((await this.#runnables.read(tx, key)).version !== runnable.version) return false;
        await lease.finish(tx);
        // The rest as it is now: the schedule may have been paused or resumed meanwhile.
        await putTriggers(tx, key, name, { ...found, gatherings: gathered.gatherings });
        return true;
      };
      if (gathered.starts === undefined) {
        const done = await this.#options.log.write(key, async (tx) => {
          if (!(await isUnchanged(tx))) return false;
          if (gathered.isGivenUp === true && event !== undefined) await this.#refuse(tx, now, event, TOO_MANY);
          return true;
        });
        if (done) return;
        continue;
      }
      const depth = (event?.metadata.depth ?? 0) + 1;
      if (depth > MOST_DEPTH && event !== undefined) {
        const done = await this.#options.log.write(key, async (tx) => {
          if (!(await isUnchanged(tx))) return false;
          await this.#refuse(tx, now, event, TOO_DEEP);
          return true;
        });
        if (done) return;
        continue;
      }
      const started = await this.#start(now, {
        runId: runIdOfEvent(key, name, eventId),
        input: this.#options.triggering.inputOf(
          await this.#scheduleOf(runnable),
          await this.#eventsOf(key, gathered.starts),
        ),
        trigger: { kind: 'event', reference: '/schedule/on' },
        depth,
        cause: eventId,
        ...(gathered.starts.length > 1 ? { causes: gathered.starts } : {}),
        mayStart: isUnchanged,
        mayCall: this.#mayCall(task, name),
      });
      if (started) return;
    }
  }

  async #onTime(task: Task, lease: TaskLease): Promise<void> {
    const { name, at } = task.payload as TimePayload;
    for (;;) {
      const now = await this.#current(task, name);
      const trigger = now?.triggers.find(({ kind }) => kind !== 'event');
      if (now === undefined || trigger === undefined || now.row.paused !== undefined) {
        return this.#options.log.write(task, (tx) => lease.finish(tx));
      }
      const { key, row, runnable } = now;
      // A clock that was set back meanwhile leads to no time that has its run.
      const after = Math.max(at, this.#options.clock.now());
      const next =
        trigger.kind === 'after'
          ? undefined
          : this.#options.triggering.nextTime(await this.#scheduleOf(runnable), row.anchor, after);
      const runId = runIdOfTime(key, name, row.secret, at);
      let isDone = false;
      await this.#start(now, {
        runId,
        input: {},
        trigger: { kind: trigger.kind, reference: trigger.reference },
        depth: 0,
        mayCall: this.#mayCall(task, name),
        mayStart: async (tx) => {
          const found = await selectTriggers(tx, key, name);
          if (found?.triggers !== row.triggers || found.paused !== undefined) return false;
          if ((await this.#runnables.read(tx, key)).version !== runnable.version) return false;
          isDone = true;
          await lease.finish(tx);
          if (next !== undefined) await addTime(this.#options.tasks, tx, key, name, next);
          // A backfill may have started the run of this time.
          return (await selectRun(tx, key, runId)) === undefined;
        },
      });
      if (isDone) return;
    }
  }

  /** Passes over what fired: the process died three times while it started a run for it. */
  async #passOver(task: Task, lease: TaskLease): Promise<void> {
    const { name, event_id: eventId } = task.payload as { name: string; event_id?: string };
    const now = await this.#current(task, name);
    const trigger = now?.triggers.find(({ kind }) => kind !== 'event');
    const isSet = now !== undefined && now.row.paused === undefined;
    const next = !isSet || trigger === undefined ? undefined : await this.#timeAfter(now, trigger);
    await this.#options.log.write(task, async (tx) => {
      await lease.finish(tx);
      const event = eventId === undefined ? undefined : await selectEvent(tx, task, eventId);
      if (now !== undefined && event !== undefined) await this.#refuse(tx, now, event, DIED);
      if (eventId === undefined && next !== undefined) await addTime(this.#options.tasks, tx, task, name, next);
    });
  }

  /** When a trigger of the clock fires next after a time that is passed over. */
  async #timeAfter({ runnable, row }: CurrentTrigger, trigger: Trigger): Promise<number | undefined> {
    if (trigger.kind === 'after') return this.#options.clock.now() + trigger.milliseconds;
    return this.#options.triggering.nextTime(await this.#scheduleOf(runnable), row.anchor, this.#options.clock.now());
  }

  async #start({ key, runnable }: CurrentTrigger, run: Omit<TriggeredRun, 'key' | 'runnable' | 'inputSha256'>) {
    return this.#options.runs.startTriggered({ ...run, key, runnable, inputSha256: sha256(canonicalJson(run.input)) });
  }

  async #refuse(
    tx: WriteTransaction,
    { key, runnable: { version } }: CurrentTrigger,
    event: StoredEvent,
    { because, detail }: { because: string; detail: string },
  ): Promise<void> {
    const trigger = { kind: 'event', reference: '/schedule/on' } as const;
    await this.#options.log.append(tx, {
      org: key.org,
      playbook: key.playbook,
      stream: 'events',
      events: [
        {
          type: 'reaction_refused',
          data: { trigger, because, detail },
          metadata: {
            by: 'runtime',
            definition: { type: 'workflow', name: key.name, version },
            trigger,
            correlation_id: event.metadata.correlation_id,
            causation_id: event.id,
            depth: event.metadata.depth ?? 0,
          },
        },
      ],
    });
  }

  /** Calls before the start is recorded would delay the tasks that wait for this one. */
  #mayCall(task: Task, name: string): boolean {
    return isFirstTry(task) && !this.#serially.isAwaited(turnOf(task, name));
  }

  async #guarded(task: Task, lease: TaskLease, handle: () => Promise<void>): Promise<void> {
    const { name } = task.payload as { name: string };
    try {
      await this.#serially(turnOf(task, name), handle);
    } catch (error) {
      // What was retired meanwhile starts nothing; what is stopping starts later.
      if (!(error instanceof Refused) || error.rejection.reason === 'unavailable') throw error;
      await this.#options.log.write(task, (tx) => lease.finish(tx));
    }
  }
}

/** Tasks of one trigger run one after the other. */
function turnOf({ org, playbook }: Task, name: string): string {
  return JSON.stringify([org, playbook, name]);
}

const TOO_DEEP = {
  because: 'too_deep',
  detail: `The event has ${MOST_DEPTH} reactions above it, which is the limit, so it starts no run.`,
};
const DIED = {
  because: 'unworkable',
  detail:
    'The server crashed or was killed three times while it started a run for the event, so it does not try again.',
};
const TOO_MANY = {
  because: 'too_many_events',
  detail: `The trigger gathered ${MOST_GATHERED} events without its \`until\` becoming true; it starts over.`,
};
const NOTHING_GATHERED: StoredGathering = { consumption: { correlations: {}, matched: [] }, events: [] };
