import { numberOf, type RunOptions, showRun } from './run.ts';

export interface RerunOptions extends Omit<RunOptions, 'input' | 'model'> {
  /** The step to begin with. */
  from: string;
  iterations?: string | undefined;
}

/** Runs a workflow again from a step; writes the output to stdout and the new run's id to stderr. */
export async function rerun(playbook: string, runId: string, options: RerunOptions): Promise<void> {
  const { from: step, runId: new_run_id } = options;
  const iterations = options.iterations
    ?.split('.')
    .map((text) => numberOf('--iterations', text, '3, or 0.3 for nested loops'));
  const version = options.version === undefined ? undefined : numberOf('--version', options.version, '3');
  const fields = { step, iterations, version, new_run_id };
  await showRun(playbook, (client, at) => client.call('rerun', { ...at, run_id: runId, ...fields }), options);
}
