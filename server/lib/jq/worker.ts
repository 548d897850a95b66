// A worker thread of jq: one job at a time.
import { LRUCache } from 'lru-cache';
import { type JobResult, serveJobs, workerInput } from '../worker-pool/index.ts';
import { createInstance, type Instance, type JqOutcome, UtcDate } from './instance.ts';
import type { JqReply, CheckJob, EvaluateJob, JqJob } from './job.ts';
import { compileMessage, runtimeMessage } from './messages.ts';
import { checkProgram, evaluateProgram, programFault } from './program.ts';

globalThis.Date = UtcDate as DateConstructor;

const COMPILE_ERROR = 3;
const MOST_RESULT_BYTES = 4 * 1024 * 1024;

/** Expressions that compile on their own. Only these are put into brackets. */
const compiled = new LRUCache<string, true>({ max: 256 });

/** Whether an expression compiles, and calls nothing that always fails. */
function check(instance: Instance, { expression, variables }: CheckJob): JobResult<JqReply> {
  const outcome = instance.run(checkProgram(expression, variables), '', ['--debug-dump-disasm']);
  return judge(outcome, ({ exitCode, stdout, stderr }) => {
    if (exitCode !== 0) return { ok: false, text: compileMessage(stderr) };
    const fault = programFault(stdout);
    return fault === undefined ? { ok: true, text: '' } : { ok: false, text: fault };
  });
}

function compiles(instance: Instance, { expression, variables }: Omit<EvaluateJob, 'kind'>): JobResult<JqReply> {
  return judge(instance.run(checkProgram(expression, variables), ''), ({ exitCode, stderr }) =>
    exitCode === 0 ? { ok: true, text: '' } : { ok: false, text: compileMessage(stderr) },
  );
}

function evaluate(instance: Instance, job: EvaluateJob): JobResult<JqReply> {
  const { expression, variables, values, now } = job;
  const key = `${variables.join()}\n${expression}`;
  if (compiled.get(key) === undefined) {
    const checked = compiles(instance, job);
    if (!checked.answer.ok) return checked;
    compiled.set(key, true);
  }
  const outcome = instance.run(evaluateProgram(expression, variables, now), values);
  return judge(outcome, ({ exitCode, stdout, stderr }) => {
    if (exitCode === COMPILE_ERROR) return { ok: false, text: compileMessage(stderr) };
    if (exitCode !== 0) return { ok: false, text: runtimeMessage(stderr) };
    if (Buffer.byteLength(stdout) <= MOST_RESULT_BYTES) return { ok: true, text: stdout };
    return { ok: false, text: 'The result is larger than 4 MiB.' };
  });
}

function judge(
  outcome: JqOutcome,
  read: (result: { stdout: string; stderr: string; exitCode: number }) => JqReply,
): JobResult<JqReply> {
  if (outcome.kind === 'broken') return { answer: { ok: false, text: outcome.detail }, isSpent: true };
  return { answer: read(outcome.result), isSpent: outcome.isSpent };
}

const instance = await createInstance(workerInput() as WebAssembly.Module);
// Warms up, so that compiling at first use does not count against the time of a job.
evaluate(instance, { kind: 'evaluate', expression: '.', variables: [], values: '[null]', now: 0 });
serveJobs<JqJob, JqReply>({
  run: (job) => (job.kind === 'check' ? check(instance, job) : evaluate(instance, job)),
});
