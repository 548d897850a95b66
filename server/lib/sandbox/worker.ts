// A worker thread of the sandbox: one job after the other, each in an instance that is as it was before the last one.
import { LRUCache } from 'lru-cache';
import { type JobResult, restartDeadline, serveJobs, workerInput } from '../worker-pool/index.ts';
import { checkSource } from './check-source.ts';
import { parseProgram, withConstants } from './constants.ts';
import { foldEvents } from './fold-events.ts';
import { createInstance, type Instance } from './instance.ts';
import type { FoldJob, RunJob, SandboxJob, SandboxReply } from './job.ts';
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

function answerTo(job: SandboxJob): SandboxReply {
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
function brokenAnswer(job: SandboxJob): SandboxReply {
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

function carryOut(job: SandboxJob): JobResult<SandboxReply> {
  try {
    return { answer: answerTo(job) };
  } catch {
    return { answer: brokenAnswer(job), isSpent: true };
  }
}

async function renewInstance(): Promise<void> {
  instance = await createInstance(wasmModule);
}

serveJobs({ carryOut, reset: () => (instance.reset() ? undefined : renewInstance()) });
