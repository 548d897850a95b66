// jq in WebAssembly, in a worker.
//
// 1. The stack is above the data in memory and is not guarded: it grows down, and a recursion that is too deep (about 600
//    levels of nested values are enough) overwrites the data without a trap. If the lowest part of the stack has changed,
//    the result is discarded, and so is the instance.
// 2. The memory and the output buffer never shrink: an instance that used more than 64 MiB or printed more than 4 MiB is
//    discarded. The memory limit is 256 MiB.
// 3. After a trap or any other exception, the instance is discarded.
import { type Jq, type JqResult, loadJq } from 'jq-wasm';

/** The end of the stack in the module of the pinned package; checked by a test. */
const STACK_END = 400_752;
const GUARD_BYTES = 32 * 1024;
const MOST_REUSED_BYTES = 64 * 1024 * 1024;
const MOST_PRINTED = 4 * 1024 * 1024;

export type JqOutcome = { kind: 'ran'; result: JqResult; isSpent: boolean } | { kind: 'broken'; detail: string };

export interface Instance {
  /** @param input JSON text; an empty text compiles the program and runs nothing */
  run(program: string, input: string, flags?: readonly string[]): JqOutcome;
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
    run(program, input, flags = []) {
      try {
        const result = jq.raw(input, program, ['-c', ...flags]);
        if (memory === undefined || isStackOverrun(memory.buffer)) return { kind: 'broken', detail: TOO_DEEP };
        const isSpent = memory.buffer.byteLength > MOST_REUSED_BYTES || result.stdout.length > MOST_PRINTED;
        return { kind: 'ran', result, isSpent };
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
 * A date whose local time is UTC. jq's `strptime` uses the local time of JavaScript dates, so in a time zone with
 * daylight saving time, one hour of the year would be parsed incorrectly.
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
