// The memory of an instance as it is once a program was evaluated there, for the programs that ran last: evaluating one
// again would take far longer than most runs.
//
// 1. Only a steady program is kept: one whose evaluation is the same each time, since it reads neither time nor chance.
// 2. The second evaluation is recorded, since many programs run once; it gets a time and chance that are always the same.
// 3. A run that begins with what was kept finds the same bytes, and has used up the same work, as one that evaluates.
import { LRUCache } from 'lru-cache';
import type { MemoryChanges } from './memory-snapshot.ts';

/** Of programs that were seen once, and of those that are kept. */
const MOST_PROGRAMS = 64;
/** A small program takes 14 KiB, and one of 8 KB 130 KiB. */
const MOST_BYTES = 2 * 1024 * 1024;

export interface EvaluatedPrograms<Module> {
  /** Puts a program into the memory; undefined if it is not kept. */
  restore(program: string): Module | undefined;
  /** Whether it is known to be steady, and small enough to be kept. */
  isSteady(program: string): boolean;
  setSteady(program: string): void;
  /** Keeps the memory as it is right after the evaluation of a steady program. */
  keep(program: string, module: Module): void;
}

interface Kept<Module> {
  module: Module;
  memory: MemoryChanges;
  work: number;
}

/**
 * @param changes what differs from the memory as it is before each evaluation and before `restore`; undefined
 * if the instance cannot be used again
 * @param work the work that was used up since then
 */
export function createEvaluatedPrograms<Module>(
  changes: () => MemoryChanges | undefined,
  work: { get(): number; set(used: number): void },
): EvaluatedPrograms<Module> {
  /** False: too large. */
  const steady = new LRUCache<string, boolean>({ max: MOST_PROGRAMS });
  const kept = new LRUCache<string, Kept<Module>>({
    max: MOST_PROGRAMS,
    maxSize: MOST_BYTES,
    sizeCalculation: ({ memory }) => memory.bytes + 1,
  });

  return {
    restore(program) {
      const found = kept.get(program);
      if (found === undefined) return undefined;
      found.memory.apply();
      work.set(found.work);
      return found.module;
    },
    isSteady: (program) => steady.get(program) === true,
    setSteady(program) {
      if (!steady.has(program)) steady.set(program, true);
    },
    keep(program, module) {
      const memory = changes();
      if (memory !== undefined) kept.set(program, { module, memory, work: work.get() });
      if (!kept.has(program)) steady.set(program, false);
    },
  };
}
