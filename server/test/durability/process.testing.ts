// One start of the service, put together as app.ts does it but without its faces: what it does is driven from
// outside, commit by commit, and it can be ended between any two of them.
import type { JsonObject } from '../../../shared/json.ts';
import { Definitions, definitionMigrations, definitionProjection } from '../../domain/definitions/index.ts';
import { createEvents, createPublishing, subscriptionMigrations } from '../../domain/events/index.ts';
import { createInteractions, interactionMigrations, interactionProjection } from '../../domain/interactions/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { contentMigrations } from '../../kernel/contents/index.ts';
import { createIds } from '../../kernel/ids.ts';
import { createEventLog, type EventLog, logMigrations, openSqliteStore } from '../../kernel/log/index.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { createStopping } from '../../kernel/stopping.ts';
import { TaskRunner, createTasks, type Task, type TaskHandler, taskMigrations } from '../../kernel/tasks/index.ts';
import { createPlaybooks, playbookMigrations, playbookProjection } from '../../domain/playbooks/index.ts';
import {
  createEndWaiting,
  createRuns,
  durableRunMigrations,
  runMigrations,
  runProjection,
  type Runs,
} from '../../domain/runs/index.ts';
import { Tools } from '../../domain/tools/index.ts';
import { Firing, createTriggers, triggerMigrations } from '../../domain/triggers/index.ts';
import { createLogger, named, type Parts, type Watch } from './parts.testing.ts';
import { createRepeatingStore } from '../../kernel/log/repeating-store.testing.ts';
import { createSteppedStore } from './stepped-store.testing.ts';

const MIGRATIONS = [
  ...logMigrations,
  ...contentMigrations,
  ...taskMigrations,
  ...playbookMigrations,
  ...definitionMigrations,
  ...runMigrations,
  ...durableRunMigrations,
  ...subscriptionMigrations,
  ...triggerMigrations,
  ...interactionMigrations,
];
export const PROJECTIONS = [playbookProjection, definitionProjection, runProjection, interactionProjection];

export interface ServiceProcess {
  runs: Runs;
  events: ReturnType<typeof createEvents>;
  playbooks: ReturnType<typeof createPlaybooks>;
  definitions: Definitions;
  interactions: ReturnType<typeof createInteractions>;
  log: EventLog;
  /** Ends what the last start left behind, then begins to carry out tasks. */
  begin(): Promise<void>;
  /** Answers once nothing goes on that needs no commit; then how many works wait for one. */
  settle(): Promise<number>;
  commit(place: number, isLast: boolean): Promise<void>;
  /** Stops the service as a signal does. Its last commits are for the driver to trigger, and the clock ends its grace. */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export interface ProcessOptions {
  file: string;
  clock: Clock;
  parts: Parts;
  /** Told of everything that is carried out. */
  watch: Watch;
  /** In how many milliseconds a task that was finished comes once more; undefined: not. */
  comesAgain: (task: Task) => number | undefined;
  onTask: (task: Task, now: number) => void;
  onError: (error: unknown) => void;
  /** Opens another store than one that carries each work out twice. */
  openStore?: typeof openSqliteStore;
}

let starts = 0;

export function startProcess(options: ProcessOptions): ServiceProcess {
  const { file, parts, onError, watch } = options;
  const { openStore = (store) => createRepeatingStore(openSqliteStore(store)) } = options;
  let isDead = false;
  const unlessDead = (wake: () => void) => (): void => {
    if (!isDead) wake();
  };
  const clock: Clock = {
    now: () => options.clock.now(),
    wakeAt: (at, wake) => options.clock.wakeAt(at, unlessDead(wake)),
    elapsed: () => options.clock.elapsed(),
    wakeAfter: (milliseconds, wake) => options.clock.wakeAfter(milliseconds, unlessDead(wake)),
  };
  const onUnknownCommit = (sentence: string): void => onError(new Error(sentence));
  const stepped = createSteppedStore(openStore({ file, migrations: MIGRATIONS, clock, onUnknownCommit }));
  const ids = createIds(clock);
  const log = createEventLog({ store: stepped.store, projections: PROJECTIONS, clock, ids });
  const kinds = parts.kindsFor(watch);
  starts += 1;
  const holder = `start ${starts}`;

  const logger = createLogger(onError);
  const tasks = createTasks();
  const publishing = createPublishing({ log, clock, ids });
  const { triggers: triggering } = kinds.workflows;
  const triggers = createTriggers({ log, clock, tasks, publishing, triggering });
  const { schemas, textWork } = parts;
  const tools = new Tools({
    settings: { toolServers: () => [] },
    mode: 'local',
    version: 'test',
    schemas,
    textWork,
    clock,
    logger,
  });
  const common = { log, clock, ids, tasks, tools, schemas, kinds: kinds.byType };
  const stopping = createStopping(clock);
  const interactions = createInteractions({
    ...common,
    endWaiting: createEndWaiting(common),
    withCaller: (...ended) => runs.withCaller(...ended),
    graceOver: stopping.graceOver,
  });
  const runs: Runs = createRuns({
    ...common,
    bursts: kinds.bursts,
    publishing,
    requests: interactions.requests,
    triggeredRunEnded: triggers.runEnded,
    holder,
    logger,
    stopping,
  });
  const firing = new Firing({ log, clock, tasks, triggering, runs });
  const playbooks = createPlaybooks(log, async (tx, playbookKey, by) => {
    await triggers.playbookRetired(tx, playbookKey);
    await runs.playbookRetired(tx, playbookKey, by);
  });
  const definitions = new Definitions(log, kinds.byType, [triggers.definitions]);
  const runner = new TaskRunner({
    store: log,
    clock,
    tasks,
    holder,
    handlers: watched({ ...runs.handlers, ...firing.handlers, ...interactions.handlers }),
    onError: ({ error }) => onError(error),
    alone: true,
    graceOver: stopping.graceOver,
  });

  /** Handlers whose tasks come a second time where the schedule says so, marked as copies. */
  function watched(handlers: Readonly<Record<string, TaskHandler>>): Record<string, TaskHandler> {
    const wrap =
      (handle: TaskHandler): TaskHandler =>
      (task, lease) => {
        options.onTask(task, clock.now());
        const again = async (tx: Parameters<typeof lease.finish>[0]): Promise<void> => {
          const wait = isCopy(task) ? undefined : options.comesAgain(task);
          if (wait === undefined) return;
          const payload = { ...(task.payload as JsonObject), copy: true };
          await tasks.add(tx, task, { kind: task.kind, key: task.key, dueAt: clock.now() + wait, payload });
        };
        return handle(named(task), {
          ...lease,
          async finish(tx) {
            await lease.finish(tx);
            await again(tx);
          },
          async settle(tx) {
            const wasHeld = await lease.settle(tx);
            if (wasHeld) await again(tx);
            return wasHeld;
          },
        });
      };
    return Object.fromEntries(Object.entries(handlers).map(([kind, handle]) => [kind, wrap(handle)]));
  }

  return {
    runs,
    events: createEvents(log, publishing),
    playbooks,
    definitions,
    interactions,
    log,
    async begin() {
      await runs.endInterrupted();
      runner.start();
    },
    async settle() {
      do {
        await kinds.settled();
        await yieldToEventLoop();
      } while (kinds.isBusy());
      return stepped.waiting();
    },
    commit: (place, isLast) => stepped.commit(place, isLast),
    async stop() {
      stopping.begin();
      await Promise.all([runs.stop(), runner.stop()]);
      stopping.ended();
    },
    async kill() {
      isDead = true;
      await yieldToEventLoop();
      await stepped.kill();
    },
  };
}

export function isCopy({ payload }: Pick<Task, 'payload'>): boolean {
  return (payload as JsonObject)['copy'] === true;
}
