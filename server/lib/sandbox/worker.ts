// A worker thread of the sandbox: one job after the other, each in an instance that is as it was before the last one.
import { LRUCache } from 'lru-cache';
import { type JobResult, restartDeadline, serveJobs, workerInput } from '../worker-pool/index.ts';
import { checkSource } from './check-source.ts';
import { parseProgram, withConstants } from './constants.ts';
import { foldEvents } from './fold-events.ts';
import { createInstance, type Instance } from './instance.ts';
import type { FoldJob, ModuleFunction, ModuleJob, Programs, RunJob, SandboxJob, SandboxReply } from './job.ts';
import { runProgram } from './run-program.ts';
import { stripTypes } from './strip-types.ts';

const wasmModule = workerInput() as WebAssembly.Module;
let instance: Instance = await createInstance(wasmModule);

const MOST_PROGRAMS = 64;
/** Programs without their types, by source; those that ran last. */
const programs = new LRUCache<string, string>({ max: MOST_PROGRAMS });
/** The same for programs that keep a view: with their constants. */
const viewPrograms = new LRUCache<string, string>({ max: MOST_PROGRAMS });

function programOf({ source, isStripped }: RunJob | FoldJob, prepared: LRUCache<string, string>): string {
  if (isStripped && prepared === programs) return source;
  const known = prepared.get(source);
  if (known !== undefined) return known;
  const stripped = isStripped ? { program: source } : stripTypes(source);
  if ('issue' in stripped) throw new Error('A program that was saved has no stripped form.');
  const { program } = stripped;
  const whole = prepared === viewPrograms ? withConstants(program, parseProgram(program)) : program;
  prepared.set(source, whole);
  return whole;
}

type OwnJob = Exclude<SandboxJob, ModuleJob>;

function answerTo(job: OwnJob): SandboxReply {
  switch (job.kind) {
    case 'check':
      return checkSource(instance, job);
    case 'run':
      return runProgram(instance, programOf(job, job.state === undefined ? programs : viewPrograms), job);
    case 'fold':
      return foldEvents(instance, programOf(job, viewPrograms), job, restartDeadline);
  }
}

/** After a program broke the sandbox itself, the worker is not used again. */
function brokenAnswer(job: OwnJob): SandboxReply {
  const detail = 'The program crashed the sandbox, most likely by nesting or recursing too deeply.';
  switch (job.kind) {
    case 'check':
      return { kind: 'checked', issues: [{ line: 1, column: 1, detail }], values: {}, places: {}, insertions: [] };
    case 'run':
      return { kind: 'stopped', detail, console: [], consoleTruncated: false };
    case 'fold':
      return { kind: 'not_folded', index: undefined, detail };
  }
}

function carryOut(job: SandboxJob): JobResult<SandboxReply> | Promise<JobResult<SandboxReply>> {
  if (job.kind === 'module') return carryOutModule(job);
  try {
    return { answer: answerTo(job) };
  } catch {
    return { answer: brokenAnswer(job), isSpent: true };
  }
}

const loaded = new Map<string, ModuleFunction<unknown, object>>();

async function functionOf({ module, name }: ModuleJob): Promise<ModuleFunction<unknown, object>> {
  const key = `${module} ${name}`;
  const known = loaded.get(key);
  if (known !== undefined) return known;
  const { [name]: found } = (await import(module)) as Record<string, ModuleFunction<unknown, object> | undefined>;
  if (found === undefined) throw new Error(`${module} does not export ${name}.`);
  loaded.set(key, found);
  return found;
}

async function carryOutModule(job: ModuleJob): Promise<JobResult<SandboxReply>> {
  let [isUsed, isSpent] = [false, false];
  const run: Programs['run'] = async (program, until) => {
    if (isSpent) return undefined;
    if (isUsed && !instance.reset()) await renewInstance();
    isUsed = true;
    let isLate = false;
    instance.onTick(() => {
      if (performance.now() < until) return;
      isLate = true;
      instance.exhaust();
    });
    try {
      const ran = runProgram(instance, programOf({ ...program, kind: 'run' }, programs), { ...program, kind: 'run' });
      return isLate ? undefined : ran;
    } catch {
      isSpent = true;
      return undefined;
    } finally {
      instance.onTick(undefined);
    }
  };
  const answer = await (await functionOf(job))(job.input, { run });
  return { answer: { kind: 'module_done', answer }, isSpent };
}

async function renewInstance(): Promise<void> {
  instance = await createInstance(wasmModule);
}

serveJobs({ run: carryOut, reset: () => (instance.reset() ? undefined : renewInstance()) });
