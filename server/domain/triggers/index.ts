// Which triggers are set: what of a workflow waits for events and for the clock.
//
// Triggers are set, changed and removed in the transaction that saves or retires their definition. What happens when
// one fires stands in firing.ts.
import type { DefinitionHooks, DefinitionKey, DefinitionDraft } from '../definitions/index.ts';
import { type Publishing, readPublished, subscribe, unsubscribe } from '../events/index.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import type { Clock } from '../../lib/clock.ts';
import { randomHex } from '../../lib/random.ts';
import type { EventLog, PlaybookKey, StoredEvent, WriteTransaction } from '../../kernel/log/index.ts';
import type { Tasks } from '../../kernel/tasks/index.ts';
import type { Trigger } from '../../kinds/checked.ts';
import type { CloudEvent, StartingEvents, Triggering } from '../../kinds/durable.ts';
import type { RunTrigger } from '../runs/index.ts';
import {
  deleteTriggers,
  putTriggers,
  selectAnyTriggers,
  selectTriggerNames,
  selectTriggers,
  type TriggerRow,
} from './sql.ts';
import { addTime, eventTask, runIdOfEvent, TIME_TASK } from './tasks.ts';

export { Firing } from './firing.ts';
export { scheduleOperations } from './schedule-operations.ts';
export { Schedules } from './schedules.ts';
export { triggerMigrations } from './sql.ts';

const REACTION = 'trigger';
/** Stored with the subscription of a trigger as the listener. */
const LISTENERS: readonly StartingEvents[] = ['each', 'taken', 'several'];

export interface Triggers {
  definitions: DefinitionHooks;
  playbookRetired(tx: WriteTransaction, playbookKey: PlaybookKey): Promise<void>;
  /** Called in the transaction that ends a run that a trigger started. */
  runEnded: (tx: WriteTransaction, playbookKey: PlaybookKey, name: string, trigger: RunTrigger) => Promise<void>;
  /** Whether any trigger may start a run. */
  areSet(): Promise<boolean>;
}

export interface TriggersOptions {
  log: EventLog;
  clock: Clock;
  tasks: Tasks;
  publishing: Publishing;
  triggering: Triggering;
}

export function createTriggers({ log, clock, tasks, publishing, triggering }: TriggersOptions): Triggers {
  publishing.onPublished(REACTION, async (tx, playbookKey, { subscriber, listener }, event) => {
    await tasks.add(tx, playbookKey, eventTask(subscriber, event.id, clock.now()));
    if (!(await isSureToStart(tx, playbookKey, { name: subscriber, listener }, event))) return undefined;
    return { run_id: runIdOfEvent(playbookKey, subscriber, event.id), effect: 'starts', workflow: subscriber };
  });

  /** Whether the event starts a run that has its id. A run of several events has the id of the last one. */
  async function isSureToStart(
    tx: WriteTransaction,
    playbookKey: PlaybookKey,
    { name, listener }: { name: string; listener: string },
    event: StoredEvent,
  ): Promise<boolean> {
    if (listener !== 'taken') return listener === 'each';
    const trigger = triggersIn(await selectTriggers(tx, playbookKey, name)).find(({ kind }) => kind === 'event');
    if (trigger?.kind !== 'event') return false;
    const published = { specversion: '1.0', ...(await readPublished(tx, event)).event } as CloudEvent;
    return triggering.takes(trigger.filters, published) === true;
  }

  const subscriber = (name: string, listener: StartingEvents) => ({ reaction: REACTION, subscriber: name, listener });

  async function set(tx: WriteTransaction, key: DefinitionKey, { document, schedule }: DefinitionDraft): Promise<void> {
    const triggers = document.triggers ?? [];
    const before = await selectTriggers(tx, key, key.name);
    const text = canonicalJson(triggers);
    // A version that leaves the schedule as it was keeps its anchor and what was gathered.
    if (before?.triggers === text) return;
    await remove(tx, key, key.name);
    if (triggers.length === 0) return;
    // A paused schedule stays paused, whatever its times become.
    const paused = before?.paused;
    const row: TriggerRow = {
      triggers: text,
      anchor: clock.now(),
      secret: randomHex(16),
      gatherings: [],
      ...(paused === undefined ? {} : { paused }),
    };
    await putTriggers(tx, key, key.name, row);
    const interests = triggering.interests(schedule);
    for (const interest of interests) await subscribe(tx, key, subscriber(key.name, interest.starts), [interest]);
    const kind = triggers.find((trigger) => trigger.kind !== 'event')?.kind;
    if (kind === undefined || paused !== undefined) return;
    const first = kind === 'after' ? row.anchor : triggering.nextTime(schedule, row.anchor, row.anchor);
    if (first !== undefined) await addTime(tasks, tx, key, key.name, first);
  }

  async function remove(tx: WriteTransaction, playbookKey: PlaybookKey, name: string): Promise<void> {
    for (const listener of LISTENERS) await unsubscribe(tx, playbookKey, subscriber(name, listener));
    await tasks.remove(tx, playbookKey, TIME_TASK, name);
    await deleteTriggers(tx, playbookKey, name);
  }

  return {
    definitions: {
      async saved(tx, key, _version, draft) {
        if (key.type === 'workflow') await set(tx, key, draft);
      },
      async retired(tx, key) {
        if (key.type === 'workflow') await remove(tx, key, key.name);
      },
    },
    async playbookRetired(tx, playbookKey) {
      for (const name of await selectTriggerNames(tx, playbookKey)) await remove(tx, playbookKey, name);
    },
    async runEnded(tx, playbookKey, name, trigger) {
      if (trigger.kind !== 'after') return;
      const row = await selectTriggers(tx, playbookKey, name);
      const after = triggersIn(row).find(({ kind }) => kind === 'after');
      if (after?.kind === 'after' && row?.paused === undefined)
        await addTime(tasks, tx, playbookKey, name, clock.now() + after.milliseconds);
    },
    areSet: () => log.read(selectAnyTriggers),
  };
}

function triggersIn(row: TriggerRow | undefined): Trigger[] {
  return row === undefined ? [] : (JSON.parse(row.triggers) as Trigger[]);
}
