import { runInput } from '../../../../../shared/run-input.ts';
import type { RunTask } from '../../document/tasks/run.ts';
import type { TaskEngine } from '../model.ts';
import { finish } from '../steps.ts';
import { fill } from '../values.ts';
import { type CallFrame, CALLED_RUN, startCalledRun } from './called-run.ts';

/** Runs another workflow of the playbook; without `await` the step's input is its output. */
export const RUN_ENGINE: TaskEngine<RunTask, CallFrame> = {
  *begin(work, visit, { run }) {
    const { name, input } = run.workflow;
    const given = yield* fill(work, visit, runInput(input), visit.input);
    const isAwaited = run.await !== false;
    yield* startCalledRun(work, visit, { type: 'workflow', name, input: given, isAwaited });
    if (!isAwaited) yield* finish(work, visit, visit.input);
  },
  frames: { call: CALLED_RUN },
};
