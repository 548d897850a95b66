import { CommandFailure, EXIT } from './failure.ts';
import { type RunOptions, showRun } from './run.ts';

export interface RerunOptions extends Omit<RunOptions, 'input'> {
  /** The step to begin with. */
  from: string;
  iterations?: string | undefined;
  version?: string | undefined;
}

/** Runs a workflow again from a step; writes the output to stdout and the new run's id to stderr. */
export async function rerun(playbook: string, runId: string, options: RerunOptions): Promise<void> {
  const { from: step, runId: new_run_id } = options;
  const iterations = options.iterations?.split('.').map((text) => numberOf('--iterations', text));
  const version = options.version === undefined ? undefined : numberOf('--version', options.version);
  const fields = { step, iterations, version, new_run_id };
  await showRun(playbook, (client, at) => client.call('rerun', { ...at, run_id: runId, ...fields }), options);
}

function numberOf(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const example = option === '--version' ? '3' : '3, or 0.3 for nested loops';
  throw new CommandFailure(`${option} is ${JSON.stringify(text)}; give a number, such as ${example}.`, EXIT.misused);
}
