// jq in WebAssembly, in a worker.
//
// 1. Its stack lies above its own data and is not guarded: it grows down, and a recursion that is too deep (values nested
//    more than some 600 levels are enough) writes over that data without a trap. The lowest part of the stack has to
//    stay as it was, else the answer is not given and the instance is spoilt.
// 2. Its memory never shrinks, nor does the room for what it prints: an instance that took more than 64 MiB or printed
//    more than 4 MiB is spoilt. The bound of its memory is 256 MiB.
// 3. A trap or any other exception spoils it.
import { type Jq, type JqResult, loadJq } from 'jq-wasm';

/** Where the stack ends in the module of the pinned package; a test watches it. */
const STACK_END = 400_752;
const GUARD_BYTES = 32 * 1024;
const MOST_KEPT_BYTES = 64 * 1024 * 1024;
const MOST_PRINTED = 4 * 1024 * 1024;

export type JqOutcome = { kind: 'ran'; result: JqResult; isSpoilt: boolean } | { kind: 'broken'; detail: string };

export interface Instance {
  /** @param input JSON text; an empty text compiles the program and runs nothing */
  run(program: string, input: string): JqOutcome;
}

export async function createInstance(wasmModule: WebAssembly.Module): Promise<Instance> {
  let memory: { readonly buffer: ArrayBuffer } | undefined;
  const jq: Jq = await loadJq({
    instantiateWasm(imports, onSuccess) {
      const start = async (): Promise<void> => {
        const instance = await WebAssembly.instantiate(wasmModule, imports);
        memory = Object.values(instance.exports).find((part) => part instanceof WebAssembly.Memory);
        onSuccess(instance, wasmModule);
      };
      void start();
    },
  });
  return {
    run(program, input) {
      try {
        const result = jq.raw(input, program, ['-c']);
        if (memory === undefined || isStackOverrun(memory.buffer)) return { kind: 'broken', detail: TOO_DEEP };
        const isSpoilt = memory.buffer.byteLength > MOST_KEPT_BYTES || result.stdout.length > MOST_PRINTED;
        return { kind: 'ran', result, isSpoilt };
      } catch {
        return { kind: 'broken', detail: TOO_MUCH };
      }
    },
  };
}

const TOO_DEEP = 'The expression, or a value in it, is nested too deeply.';
const TOO_MUCH = 'The expression uses too much memory, or is nested too deeply.';

function isStackOverrun(buffer: ArrayBuffer): boolean {
  return new BigUint64Array(buffer, STACK_END, GUARD_BYTES / 8).some((word) => word !== 0n);
}

/**
 * A date whose local time is UTC. jq's `strptime` is made of the local time of JavaScript's dates, so that in a time
 * zone with daylight saving an hour of the year would be read wrongly.
 */
export class UtcDate extends Date {
  constructor(...parts: number[]) {
    const [first = 0, month = 0, ...rest] = parts;
    if (parts.length > 1) super(Date.UTC(first, month, ...rest));
    else if (parts.length === 1) super(first);
    else super();
  }
}

const FIELDS = ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'] as const;
const SETTABLE = ['FullYear', 'Month', 'Date', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'] as const;

for (const field of FIELDS) UtcDate.prototype[`get${field}`] = Date.prototype[`getUTC${field}`];
for (const field of SETTABLE) UtcDate.prototype[`set${field}`] = Date.prototype[`setUTC${field}`];
UtcDate.prototype.getTimezoneOffset = () => 0;
