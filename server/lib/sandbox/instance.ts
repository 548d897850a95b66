// One QuickJS in WebAssembly, put back to what it was before each program.
//
// 1. Its memory is bounded by the WebAssembly.Memory itself: a limit inside QuickJS looks at single allocations only.
// 2. Between two programs every byte of the memory is restored to the snapshot taken before the first one, so that
//    nothing of a program is there for the next. A program that runs again begins as it was right after its evaluation.
// 3. A memory that grew beyond 16 MiB, a trap, an exception of the host, or work without end spoils the instance: it
//    is never used again.
import wasmVariant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import type { Constants } from './constants.ts';
import { createEvaluatedPrograms, type EvaluatedPrograms } from './evaluated-programs.ts';
import { type MemoryChanges, type MemorySnapshot, takeSnapshot } from './memory-snapshot.ts';
import { withNativeText } from './native-text.ts';
import { PRELUDE } from './prelude.ts';
import { FIRST_PAGES, PAGE } from './wasm-module.ts';

// Its types describe the CommonJS form, where the variant stands under `default`; the ES module is the variant itself.
const VARIANT = wasmVariant as unknown as QuickJSSyncVariant;

/** 16 MiB: what has grown up to here is sooner put back than made anew. */
const MOST_KEPT_PAGES = 256;
/** 64 MiB. */
const MOST_PAGES = 1024;
const STACK_BYTES = 1024 * 1024;
/** How many of QuickJS's own work counts a program may use up: each is some 10,000 branches and calls. */
const MOST_WORK = 1000;

/** The functions of the prelude that the host calls. */
const PRELUDE_FUNCTIONS = [
  'give',
  'call',
  'outcome',
  'console',
  'exportsOf',
  'harden',
  'settleConstants',
  'startFold',
  'foldEvents',
  'heldState',
  'answer',
] as const;
type PreludeFunction = (typeof PRELUDE_FUNCTIONS)[number];

/** A module that keeps a view. */
export interface ViewModule {
  exports: QuickJSHandle;
  constants: Constants;
}

export interface Instance {
  context: QuickJSContext;
  runtime: QuickJSRuntime;
  /** The functions that programs export by default. */
  programs: EvaluatedPrograms<QuickJSHandle>;
  /** Modules that keep views, in a hardened instance. */
  views: EvaluatedPrograms<ViewModule>;
  /**
   * Calls a function of the prelude.
   * @throws Error if it throws
   */
  call(name: PreludeFunction, ...given: QuickJSHandle[]): QuickJSHandle;
  /** Whether the program has used up the work it may do. */
  isExhausted(): boolean;
  /** Does what calls no code of the program: it is not counted, and not stopped when the program was. */
  uncounted<T>(work: () => T): T;
  /** Freezes the built-ins and the global object of an instance that was reset, for a program that keeps a view. */
  harden(): void;
  /** Counts work that the engine does not count. */
  spend(): void;
  /** Uses up the work that the program may do. */
  exhaust(): void;
  /**
   * Gives the program the whole of its work again, less so many counts. That the program is at work counts as a tick.
   */
  renew(less: number): void;
  /** Sets what is called every few milliseconds of work: the engine is running and not stuck inside a built-in. */
  onTick(listener: (() => void) | undefined): void;
  /** Puts everything back; false when the instance is spoilt. */
  reset(): boolean;
}

export function createMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES });
}

/** @param memory filled with zeros, and of no other instance */
export async function createInstance(wasmModule: WebAssembly.Module, memory = createMemory()): Promise<Instance> {
  const variant = newVariant(VARIANT, { wasmModule, wasmMemory: memory });
  const quickjs = await newQuickJSWASMModuleFromVariant(withNativeText(variant, memory));
  let work = 0;
  let isCounted = true;
  let tick: (() => void) | undefined;
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(STACK_BYTES);
  runtime.setInterruptHandler(() => {
    if (isCounted) work += 1;
    tick?.();
    return isCounted && work > MOST_WORK;
  });
  const context = runtime.newContext();
  const call = preludeCalls(context);
  rehearse(context, call);
  const snapshot = takeSnapshot(memory);
  /** Recorded once a view is kept here: freezing costs more than most batches of events. */
  let hardened: { changes: MemoryChanges; snapshot: MemorySnapshot } | undefined;
  const usedWork = { get: () => work, set: (used: number) => void (work = used) };
  // The first program begins to count where every later one does.
  work = 0;

  const isSpoilt = (): boolean => work > MOST_WORK || memory.buffer.byteLength > MOST_KEPT_PAGES * PAGE;

  function uncounted<T>(task: () => T): T {
    isCounted = false;
    try {
      return task();
    } finally {
      isCounted = true;
    }
  }

  return {
    context,
    runtime,
    programs: createEvaluatedPrograms(() => (isSpoilt() ? undefined : snapshot.changes()), usedWork),
    views: createEvaluatedPrograms(() => (isSpoilt() ? undefined : hardened?.snapshot.changes()), usedWork),
    call,
    isExhausted: () => work > MOST_WORK,
    uncounted,
    harden() {
      if (hardened !== undefined) return hardened.changes.apply();
      uncounted(() => call('harden')).dispose();
      hardened = { changes: snapshot.changes(), snapshot: takeSnapshot(memory) };
    },
    spend() {
      work += 1;
    },
    exhaust() {
      work = MOST_WORK + 1;
    },
    renew(less) {
      if (work <= MOST_WORK) work = less;
      tick?.();
    },
    onTick(listener) {
      tick = listener;
    },
    reset() {
      if (isSpoilt()) return false;
      work = 0;
      snapshot.restore();
      return true;
    },
  };
}

/** Evaluates the prelude; its functions are looked up once. */
function preludeCalls(context: QuickJSContext): Instance['call'] {
  const prelude = context.unwrapResult(context.evalCode(PRELUDE, 'sandbox'));
  const functions = new Map(PRELUDE_FUNCTIONS.map((name) => [name, context.getProp(prelude, name)]));
  return (name, ...given) => {
    const called = functions.get(name) ?? context.undefined;
    const result = context.callFunction(called, context.undefined, ...given);
    if (result.error === undefined) return result.value;
    const message = context.getProp(result.error, 'message');
    throw new Error(context.typeof(message) === 'string' ? context.getString(message) : 'unknown');
  };
}

/** Uses once what the host keeps for itself about the context, so that the snapshot includes it. */
function rehearse(context: QuickJSContext, call: Instance['call']): void {
  const program = context.unwrapResult(context.evalCode('export default 1;', 'program.js', { type: 'module' }));
  const bytes = context.newNumber(1);
  const text = context.newString('');
  const outcome = call('outcome', bytes, text);
  for (const handle of [program, outcome, bytes, text]) handle.dispose();
}
