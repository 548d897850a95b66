// The tasks of runs that wait, and what they hold.
import type { Json, JsonObject } from '../../../../shared/json.ts';
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { RunInput } from '../../../kinds/durable.ts';
import type { Rejection } from '../../../lib/rejection.ts';
import type { NewTask } from '../../../kernel/tasks/index.ts';
import type { Waiter } from './sql.ts';

/**
 * Queues of tasks that are not quick. A loop that never waits takes turns with other such loops; called functions wait for a
 * worker of the sandbox, and calls for their responses.
 */
export const RUN_LANES = {
  'run-resume': { table: 'loop_tasks', most: 2 },
  'run-start': { table: 'start_tasks', most: 8 },
  'run-perform': { table: 'perform_tasks', most: 64 },
} as const;

/** Functions that mostly wait for responses are started in the queue of calls. */
export const SLOW_START_LANE = { 'run-start-slow': RUN_LANES['run-perform'].table } as const;

/** An input waits for its run. */
export const INPUT_TASK = 'run-input';
/** A run continues with work that did not fit into one step. */
export const RESUME_TASK = 'run-resume';
/** A run is to be started for another one. */
export const START_TASK = 'run-start';
/** The same for a function that may call models and tools: it uses no worker of the sandbox. */
export const SLOW_START_TASK = 'run-start-slow';

export function startTaskOf({ traits }: Pick<Kind, 'traits'>): string {
  return traits.startsSlowly === true ? SLOW_START_TASK : START_TASK;
}

/** A call is to be made that reaches out of the service. */
export const PERFORM_TASK = 'run-perform';

/** The ending of a run whose work crashed the process three times: trying again would crash every start. */
export const PROCESS_DIED: Rejection = {
  reason: 'conflict',
  kind: 'unworkable',
  detail:
    'The server crashed or was killed three times while it worked on this run, so it does not try again. The history of the run shows the last step; fix that step before you run it again.',
};

export interface InputPayload extends JsonObject {
  run_id: string;
  /** The attempt that it is for; absent for the first. */
  attempt?: number;
  kind: RunInput['kind'];
  key: string;
  data: JsonObject;
  /** The event that the input comes from, or null. */
  cause: string | null;
}

export interface StartPayload extends JsonObject {
  run_id: string;
  caller_run_id: string;
  type: DefinitionType;
  name: string;
  input: Json;
  reference: string;
  /** Whether the caller waits for the run; otherwise the run begins even if its caller has ended. */
  isAwaited: boolean;
  /** Who waits for the run, where it usually ends at once; otherwise that is kept apart, since the task goes with the start. */
  waiter?: Pick<Waiter, keyof Waiter>;
  /** The event of the input that led to the call. */
  cause: string;
}

export interface PerformPayload extends JsonObject {
  run_id: string;
  /** The attempt that makes it; absent for the first. */
  attempt?: number;
  number: number;
  effect: JsonObject;
  data: JsonObject;
}

export function inputTask(input: InputPayload, dueAt: number): NewTask {
  const kind = input.kind === 'resumed' ? RESUME_TASK : INPUT_TASK;
  return { kind, key: inputKey(input, input.kind, input.key), dueAt, payload: input };
}

/** The input that ends a run that the service cannot carry on with. @param at the input or call that it gives up */
export function givenUpTask(
  at: Pick<InputPayload, 'run_id' | 'attempt' | 'key' | 'cause'>,
  { detail }: Pick<Rejection, 'detail'>,
  dueAt: number,
): NewTask {
  const { run_id, key, cause } = at;
  return inputTask({ run_id, ...attemptField(at), kind: 'given_up', key, data: { detail }, cause }, dueAt);
}

/** A run, and which attempt of it; the first where none is named. */
interface OfAttempt {
  run_id: string;
  attempt?: number | string;
}

export function inputKey(run: OfAttempt, kind: RunInput['kind'], key: string): string {
  return `${nameOf(run)} ${kind} ${key}`;
}

export function performKey(run: OfAttempt, number: number): string {
  return `${nameOf(run)} ${number}`;
}

/** Names a later attempt in its tasks, so that tasks of an earlier one do not reach it. */
export function attemptField({ attempt }: { attempt?: number | string }): { attempt?: number } {
  return Number(attempt ?? 1) === 1 ? {} : { attempt: Number(attempt) };
}

/** The same, beside what a kind gives to a called run to get it back. */
export function waitingAttempt(run: { attempt: number }): JsonObject {
  const { attempt } = attemptField(run);
  return attempt === undefined ? {} : { waiting_attempt: attempt };
}

export function isOfAttempt(payload: { attempt?: number }, run: { attempt: number | string }): boolean {
  return (payload.attempt ?? 1) === Number(run.attempt);
}

function nameOf({ run_id, ...run }: OfAttempt): string {
  const { attempt } = attemptField(run);
  return attempt === undefined ? run_id : `${run_id} attempt ${attempt}`;
}
