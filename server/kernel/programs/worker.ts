// A worker thread of the sandbox: one job at a time, in an instance that is as it was before the last one.
import { parentPort, workerData } from 'node:worker_threads';
import { checkSource } from './check-source.ts';
import { createInstance, type Instance } from './instance.ts';
import type { Answer, Job, Reply } from './job.ts';
import { runProgram } from './run-program.ts';
import { stripTypes } from './strip-types.ts';

const wasmModule = workerData as WebAssembly.Module;
let instance: Instance | undefined;

/** Makes an instance and says that a job can come. */
async function prepare(): Promise<void> {
  instance = await createInstance(wasmModule);
  reply('ready');
}

/** Programs without their types, by source; those that ran last. */
const programs = new Map<string, string>();
const MOST_PROGRAMS = 64;

function programOf(source: string): string {
  const known = programs.get(source);
  if (known !== undefined) return known;
  const stripped = stripTypes(source);
  if ('issue' in stripped) throw new Error('A program that was saved has no stripped form.');
  if (programs.size >= MOST_PROGRAMS) programs.clear();
  programs.set(source, stripped.program);
  return stripped.program;
}

function carryOut(job: Job): Answer {
  if (instance === undefined) throw new Error('A job came before the worker was ready.');
  return job.kind === 'check' ? checkSource(instance, job) : runProgram(instance, programOf(job.source), job);
}

/** What a hostile program did to the worker itself is not looked into: the worker is given up. */
function brokenAnswer(job: Job): Answer {
  const detail = 'The program broke the sandbox, most likely by nesting or calling too deeply.';
  return job.kind === 'check'
    ? { kind: 'checked', issues: [{ line: 1, column: 1, detail }], values: {}, places: {}, insertions: [] }
    : { kind: 'stopped', detail, console: [], consoleTruncated: false };
}

function reply(message: Reply): void {
  parentPort?.postMessage(message);
}

parentPort?.on('message', (job: Job) => {
  try {
    reply({ answer: carryOut(job), isSpoilt: false });
  } catch {
    reply({ answer: brokenAnswer(job), isSpoilt: true });
    return;
  }
  // Put back after the answer has left, so that the next job finds everything ready.
  if (instance?.reset() === true) {
    reply('ready');
    return;
  }
  instance = undefined;
  void prepare();
});
await prepare();
