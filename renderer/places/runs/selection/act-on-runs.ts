// What is done to several runs at once, and what became of each.
import type { QueryClient } from '@tanstack/react-query';
import { DEFINITION_FACTS } from '../../../../shared/definition-types.ts';
import type { RunListEntry } from '../../../../shared/api/index.ts';
import { call } from '../../../api/call.ts';
import { ProblemError, UnreachableError } from '../../../api/problem-error.ts';
import { eventQuery, runStartQuery } from '../../../api/queries.ts';
import { rememberRerun } from '../../run/reruns.ts';

/** What happened to one run. */
export type ActResult =
  | { is: 'done' }
  | {
      is: 'failed';
      reason: string;
      /** The new run, if there is one, although it did not succeed. */
      newRun?: string | undefined;
      /** Whether the same request may succeed later. */
      mayRepeat: boolean;
    };

/** Whether a run can be cancelled: any other run in progress ends within the request that started it. */
export function isCancellable({ status, type }: RunListEntry): boolean {
  return status === 'started' && DEFINITION_FACTS[type].mayWait === true;
}

export async function cancelRun(playbook: string, runId: string, reason: string): Promise<void> {
  await call('cancel_run', { playbook, run_id: runId, reason: reason === '' ? undefined : reason });
}

/**
 * Starts a run of the current version with the recorded input of a run, and with the model that its caller named.
 * @param newRun its id: the same id starts it only once
 */
export async function runAgain(
  client: QueryClient,
  playbook: string,
  run: RunListEntry,
  newRun: string,
): Promise<void> {
  const { run_id: first, type, name, model } = run;
  const start = await client.fetchQuery(runStartQuery(playbook, first));
  const { data } = await client.fetchQuery(eventQuery(playbook, start?.id ?? ''));
  const input = data['input'];
  if (input === undefined) throw new Error('Its input was not recorded. Open the run to run it again.');
  try {
    await call('run_definition', { playbook, type, name, input, run_id: newRun, model });
  } catch (error) {
    if (newRunOf(error) !== undefined) rememberRerun(newRun, first);
    throw error;
  }
  rememberRerun(newRun, first);
}

/** The first statuses of responses that say "later": 429 Too Many Requests and the errors of the service. */
const FIRST_LATER = 429;

export async function resultOf(act: () => Promise<void>): Promise<ActResult> {
  try {
    await act();
    return { is: 'done' };
  } catch (error) {
    const newRun = newRunOf(error);
    const isLater = error instanceof ProblemError && error.problem.status >= FIRST_LATER && newRun === undefined;
    const mayRepeat = error instanceof UnreachableError || isLater;
    return { is: 'failed', reason: error instanceof Error ? error.message : String(error), newRun, mayRepeat };
  }
}

function newRunOf(error: unknown): string | undefined {
  return error instanceof ProblemError ? error.problem.run_id : undefined;
}
