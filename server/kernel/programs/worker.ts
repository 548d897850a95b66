// A worker thread of the sandbox: one job after the other, each in an instance that is as it was before the last one.
import { parentPort, workerData } from 'node:worker_threads';
import { checkSource } from './check-source.ts';
import { parseProgram, withConstants } from './constants.ts';
import { foldEvents } from './fold-events.ts';
import { createInstance, type Instance } from './instance.ts';
import type { Answer, Handed, Job, Reply, WorkerData } from './job.ts';
import { runProgram } from './run-program.ts';
import { stripTypes } from './strip-types.ts';

const { module: wasmModule, next } = workerData as WorkerData;
/** Absent while one is made, and for ever once a program has broken it. */
let instance: Instance | undefined;

/** Programs without their types, by source; those that ran last. */
const programs = new Map<string, string>();
/** The same for programs that keep a view: with their constants. */
const viewPrograms = new Map<string, string>();
const MOST_PROGRAMS = 64;

function programOf(source: string, prepared: Map<string, string>): string {
  const known = prepared.get(source);
  if (known !== undefined) return known;
  const stripped = stripTypes(source);
  if ('issue' in stripped) throw new Error('A program that was saved has no stripped form.');
  const { program } = stripped;
  const whole = prepared === viewPrograms ? withConstants(program, parseProgram(program)) : program;
  if (prepared.size >= MOST_PROGRAMS) prepared.clear();
  prepared.set(source, whole);
  return whole;
}

function carryOut(instance: Instance, job: Job): Answer {
  switch (job.kind) {
    case 'check':
      return checkSource(instance, job);
    case 'run':
      return runProgram(instance, programOf(job.source, job.state === undefined ? programs : viewPrograms), job);
    case 'fold':
      return foldEvents(instance, programOf(job.source, viewPrograms), job);
  }
}

/** What a hostile program did to the worker itself is not looked into: the worker is given up. */
function brokenAnswer(job: Job): Answer {
  const detail = 'The program broke the sandbox, most likely by nesting or calling too deeply.';
  switch (job.kind) {
    case 'check':
      return { kind: 'checked', issues: [{ line: 1, column: 1, detail }], values: {}, places: {}, insertions: [] };
    case 'run':
      return { kind: 'stopped', detail, console: [], consoleTruncated: false };
    case 'fold':
      return { kind: 'not_folded', index: undefined, detail };
  }
}

function reply(message: Reply): void {
  parentPort?.postMessage(message);
}

/** Jobs that came and were not looked at. */
const jobs: { number: bigint; job: Job }[] = [];

/** Carries jobs out while there is an instance, each where nobody has withdrawn it. */
function workOn(): void {
  while (instance !== undefined) {
    const first = jobs.shift();
    if (first === undefined) return;
    const { number, job } = first;
    if (Atomics.compareExchange(next, 0, number, number + 1n) !== number) continue;
    try {
      reply({ answer: carryOut(instance, job), isSpoilt: false });
    } catch {
      reply({ answer: brokenAnswer(job), isSpoilt: true });
      instance = undefined;
      return;
    }
    // Put back after the answer has left, so that the next job finds everything ready.
    if (instance.reset()) continue;
    instance = undefined;
    void prepare();
  }
}

async function prepare(): Promise<void> {
  instance = await createInstance(wasmModule);
  workOn();
}

parentPort?.on('message', ({ number, jobs: handed }: Handed) => {
  handed.forEach((job, index) => jobs.push({ number: number + BigInt(index), job }));
  workOn();
});
await prepare();
reply('ready');
