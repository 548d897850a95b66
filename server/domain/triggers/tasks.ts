// The tasks of triggers, and what they hold.
import type { JsonObject } from '../../../shared/json.ts';
import { derivedId } from '../../kernel/ids.ts';
import type { PlaybookKey, WriteTransaction } from '../../kernel/log/index.ts';
import type { NewTask, Tasks } from '../../kernel/tasks/index.ts';

/** An event was published that a trigger may take. */
export const EVENT_TASK = 'trigger-event';
/** A trigger of the clock is due. */
export const TIME_TASK = 'trigger-time';

export interface EventPayload extends JsonObject {
  /** The workflow's name. */
  name: string;
  event_id: string;
}

export interface TimePayload extends JsonObject {
  name: string;
  /** When it is due, in milliseconds since 1970. */
  at: number;
}

/** The run that a workflow's trigger starts for an event. */
export function runIdOfEvent({ org, playbook }: PlaybookKey, name: string, eventId: string): string {
  return derivedId(`trigger ${org} ${playbook} ${name} ${eventId}`);
}

/**
 * The run that the clock starts at a time: a time starts one run, whatever triggers it.
 * @param at in milliseconds since 1970
 */
export function runIdOfTime({ org, playbook }: PlaybookKey, name: string, secret: string, at: number): string {
  return derivedId(`trigger ${org} ${playbook} ${name} ${secret} ${at}`);
}

export function eventTask(name: string, eventId: string, dueAt: number): NewTask {
  return { kind: EVENT_TASK, key: `${name} ${eventId}`, dueAt, payload: { name, event_id: eventId } };
}

/** Adds the task of a workflow's next time, instead of the one that it has. */
export async function addTime(
  tasks: Tasks,
  tx: WriteTransaction,
  playbookKey: PlaybookKey,
  name: string,
  at: number,
): Promise<void> {
  const payload: TimePayload = { name, at };
  await tasks.add(tx, playbookKey, { kind: TIME_TASK, key: name, dueAt: at, payload }, { replace: true });
}
