import type { Asking } from '../requests.ts';
import { finish, type Visit } from '../steps.ts';
import { fill } from '../values.ts';
import type { Work } from '../work.ts';
import { startCalledRun } from './called-run.ts';

/** Runs another workflow of the playbook; without `await` the step's input is its output. */
export function* beginRun(work: Work, visit: Visit): Asking<void> {
  const { task } = visit.step;
  if (!('run' in task) || !('workflow' in task.run)) return;
  const { name, input } = task.run.workflow;
  const given = yield* fill(work, visit, input ?? {}, visit.input);
  const isAwaited = task.run.await !== false;
  yield* startCalledRun(work, visit, { type: 'workflow', name, input: given, isAwaited });
  if (!isAwaited) yield* finish(work, visit, visit.input);
}
