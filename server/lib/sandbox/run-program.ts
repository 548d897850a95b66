// Carries out a program in an instance; the worker's part of a run.
import { LIMITS } from '../../../shared/limits.ts';
import type { QuickJSHandle } from 'quickjs-emscripten-core';
import { jsonBytes } from '../canonical-json.ts';
import type { Instance, ViewModule } from './instance.ts';
import { CONSTANTS, type Constants } from './constants.ts';
import type { RunDone, RunJob, RunStopped } from './job.ts';

/** The instance cannot be used again. */
export class SpoiltInstance extends Error {}

type ConsoleOutput = Pick<RunDone, 'console' | 'consoleTruncated'>;
const NOTHING_PRINTED: ConsoleOutput = { console: [], consoleTruncated: false };

export const TOO_MUCH_WORK =
  'The program does more work than a run may: 10 million jumps and calls (about 5 million loop iterations). Make it do less.';
const TOO_MUCH_MEMORY = 'The program uses more than 64 MiB of memory; make it use less.';

/** @param program the job's source without types; with its constants where it keeps a view */
export function runProgram(instance: Instance, program: string, job: RunJob): RunDone | RunStopped {
  const { context } = instance;
  const stop = (detail: string): RunStopped => ({ kind: 'stopped', detail, ...consoleOf(instance, 0) });
  try {
    const failed =
      job.state === undefined ? callDefault(instance, program, job) : answer(instance, program, job, job.state);
    if (failed !== undefined) return stop(failed.detail);
    drain(instance);
    if (instance.isExhausted()) return stop(TOO_MUCH_WORK);
    const outcome = context.getString(instance.call('outcome', context.newNumber(job.outputBytes)));
    if (instance.isExhausted()) return stop(TOO_MUCH_WORK);
    // It begins with whether the program printed something: most print nothing, and are not asked what.
    const printed = outcome.startsWith('#') ? undefined : NOTHING_PRINTED;
    return ended(instance, job, outcome.slice(1), printed, stop);
  } catch (error) {
    if (instance.isExhausted()) return stop(TOO_MUCH_WORK);
    throw new SpoiltInstance('The sandbox failed.', { cause: error });
  }
}

type Failed = { detail: string };

/** Calls the default function of a program; why that could not be done, or undefined. */
function callDefault(instance: Instance, program: string, job: RunJob): Failed | undefined {
  const { context, programs } = instance;
  const kept = programs.restore(program);
  const main = kept ?? evaluateProgram(instance, program, job);
  if ('detail' in main) return main;
  const called = instance.call('call', main, context.newString(job.input), ...timeAndChance(instance, job));
  if (kept === undefined && context.getString(called) === 'steady') programs.setSteady(program);
  return undefined;
}

/** Evaluates a program; the function that it exports by default. */
function evaluateProgram(instance: Instance, program: string, job: RunJob): QuickJSHandle | Failed {
  const { programs } = instance;
  const isSteady = programs.isSteady(program);
  instance.call('give', ...timeAndChance(instance, isSteady ? NO_TIME : job));
  const module = evaluate(instance, program);
  if ('detail' in module) return module;
  const main = instance.context.getProp(module.exports, 'default');
  if (isSteady) programs.keep(program, main);
  return main;
}

/** Calls the `answer` of a program that keeps a view. */
function answer(instance: Instance, program: string, job: RunJob, state: string): Failed | undefined {
  const { context } = instance;
  const module = evaluateView(instance, program);
  if ('detail' in module) return module;
  const given = [context.newString(state), context.newString(job.input)];
  instance.call('answer', module.exports, ...given, ...timeAndChance(instance, job));
  return undefined;
}

function ended(
  instance: Instance,
  job: RunJob,
  outcome: string,
  printed: ConsoleOutput | undefined,
  stop: (detail: string) => RunStopped,
): RunDone | RunStopped {
  const text = outcome.slice(1);
  switch (outcome[0]) {
    case '+': {
      const bytes = Buffer.byteLength(text);
      if (bytes > job.outputBytes)
        return stop(`The output has ${bytes} bytes as JSON, and the maximum is ${job.outputBytes}.`);
      return { kind: 'ran', output: text, ...(printed ?? consoleOf(instance, bytes)) };
    }
    case '-':
      return stop(`The output ${text}.`);
    case '?':
      return stop('The promise that the program returned never settles.');
    default:
      return stop(errorDetail(text));
  }
}

type TimeAndChance = Pick<RunJob, 'now' | 'seed'>;
/** For evaluations that are the same each time. */
const NO_TIME: TimeAndChance = { now: 0, seed: 1 };

/** What the program reads as the time, and what chance begins with. */
function timeAndChance({ context }: Instance, { now, seed }: TimeAndChance): QuickJSHandle[] {
  return [context.newNumber(now), context.newNumber(seed)];
}

/**
 * Evaluates a module that keeps a view, always at the same time and with the same chance; what is constant in it is
 * frozen before and after. The instance was reset.
 */
export function evaluateView(instance: Instance, program: string): ViewModule | Failed {
  const { context, views } = instance;
  instance.harden();
  const kept = views.restore(program);
  if (kept !== undefined) return kept;
  instance.call('give', ...timeAndChance(instance, NO_TIME));
  const module = evaluate(instance, program);
  if ('detail' in module) return module;
  const { exports } = module;
  const settled = instance.uncounted(() => instance.call('settleConstants', context.getProp(exports, CONSTANTS)));
  const view = { exports, constants: JSON.parse(context.getString(settled)) as Constants };
  if (views.isSteady(program)) views.keep(program, view);
  else views.setSteady(program);
  return view;
}

/** Evaluates a module; its exports, or why it has none. */
export function evaluate(instance: Instance, program: string): { exports: QuickJSHandle } | Failed {
  const { context } = instance;
  const result = context.evalCode(program, 'program.js', { type: 'module' });
  if (result.error !== undefined) return { detail: thrownDetail(instance, result.error) };
  drain(instance);
  const state = context.getPromiseState(result.value);
  if (instance.isExhausted()) return { detail: TOO_MUCH_WORK };
  if (state.type === 'pending') return { detail: 'A top-level `await` of the program never settles.' };
  if (state.type === 'rejected') return { detail: thrownDetail(instance, state.error) };
  return { exports: state.value };
}

/** So many jobs count as much as one call of the interrupt handler, which counts steps alone. */
const JOBS_A_COUNT = 1000;

function drain(instance: Instance): void {
  while (instance.runtime.hasPendingJob() && !instance.isExhausted()) {
    // What a job takes around its own steps is work, too.
    instance.spend();
    const result = instance.runtime.executePendingJobs(JOBS_A_COUNT);
    result.dispose();
  }
}

function thrownDetail(instance: Instance, error: QuickJSHandle): string {
  if (instance.isExhausted()) return TOO_MUCH_WORK;
  const { context } = instance;
  const member = (name: string): string => {
    const value = context.getProp(error, name);
    return context.typeof(value) === 'string' ? context.getString(value) : '';
  };
  return errorDetail(
    JSON.stringify({
      name: member('name'),
      message: member('message').slice(0, 500),
      stack: member('stack').slice(0, 2000),
    }),
  );
}

/** A thrown error in words, with its place in the program where the stack names one. */
export function errorDetail(text: string): string {
  const thrown = JSON.parse(text) as { name: string; message: string; stack: string };
  const { stack } = thrown;
  // The sandbox cuts them too, and its word is not taken for it.
  const [name, message] = [thrown.name.slice(0, 100), thrown.message.slice(0, 500)];
  if (message === 'out of memory') return TOO_MUCH_MEMORY;
  if (message === 'stack overflow') return 'The program recurses too deeply: its stack is limited to 1 MiB.';
  const place = /program\.js:(\d+):(\d+)/.exec(stack);
  const where = place === null ? '' : `Line ${place[1]}, column ${place[2]}: `;
  return `${where}The program threw ${name}${message === '' ? '' : `: ${message}`}.`.replace(/\.\.$/, '.');
}

const CONSOLE_BYTES = 64 * 1024;

/** The lines that the program printed, as many as fit beside the output. */
function consoleOf(instance: Instance, outputBytes: number): ConsoleOutput {
  const text = instance.uncounted(() => instance.call('console'));
  const printed = JSON.parse(instance.context.getString(text)) as { lines: string[]; isTruncated: boolean };
  let room = Math.min(CONSOLE_BYTES, LIMITS.outputAndRecordBytes - outputBytes - 256);
  const kept: string[] = [];
  for (const line of printed.lines) {
    // As it will stand in the record: quoted, with a comma.
    room -= jsonBytes(line) + 1;
    if (room < 0) return { console: kept, consoleTruncated: true };
    kept.push(line);
  }
  return { console: kept, consoleTruncated: printed.isTruncated };
}
