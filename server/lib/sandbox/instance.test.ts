// Nothing of a program is left in the memory of an instance, wherever the program left it.
import { beforeEach, describe, expect, test } from 'vitest';
import { createInstance, createMemory, type Instance } from './instance.ts';
import { runProgram } from './run-program.ts';
import { compileWasm } from './wasm-module.ts';

const CANARY = 'canary-0b7e9d';
const PAGE = 4096;

let memory: WebAssembly.Memory;
let instance: Instance;
let fresh: Buffer;
beforeEach(async () => {
  memory = createMemory();
  instance = await createInstance(await compileWasm(), memory);
  fresh = Buffer.from(bytes());
});

const bytes = (): Buffer => Buffer.from(memory.buffer);

function run(body: string): string {
  const program = `export default (input) => { ${body} }`;
  const input = JSON.stringify(CANARY);
  const job = { kind: 'run', source: program, isStripped: true, input, now: 0, seed: 1, outputBytes: 1000 } as const;
  const ran = runProgram(instance, program, job);
  return ran.kind === 'ran' ? ran.output : ran.detail;
}

/** Where the memory differs from what it was, as the beginnings of pages. */
function changedPages(): number[] {
  const now = bytes();
  const before = Buffer.alloc(now.length);
  fresh.copy(before);
  const pages = Array.from({ length: now.length / PAGE }, (_none, page) => page * PAGE);
  return pages.filter((at) => now.compare(before, at, at + PAGE, at, at + PAGE) !== 0);
}

describe('a program that leaves something behind', () => {
  test.each([
    [
      'in the built-ins and in the global object',
      'globalThis.left = input; Array.prototype.left = input; JSON.parse = null; return 1;',
      '1',
    ],
    ['in the symbols and names that the engine keeps', 'Symbol.for(input); globalThis[input + 1] = 1; return 1;', '1'],
    ['on the stack', 'const deep = (n) => (n === 0 ? 0 : deep(n - 1, input) + 1); return deep(500);', '500'],
    [
      'in the free part of its heap',
      'globalThis.left = Array.from({ length: 2000 }, (_, n) => input + n); return 1;',
      '1',
    ],
    [
      'in what it freed again',
      'for (let n = 0; n < 50; n += 1) new Uint8Array(2e5).fill(165); return input.length;',
      String(CANARY.length),
    ],
    [
      'in memory that it made grow',
      'globalThis.left = new Uint8Array(5e6).fill(165); globalThis.more = input.repeat(1e5); return 1;',
      '1',
    ],
    [
      'in promises that wait',
      'globalThis.left = new Promise(() => {}); Promise.resolve(input).then(() => left); return 1;',
      '1',
    ],
  ])('%s finds nothing of it, nor does another one', (_name, body, outcome) => {
    for (let round = 0; round < 3; round += 1) {
      expect(run(body)).toMatch(outcome);
      expect(changedPages()).not.toEqual([]);
      expect(instance.reset()).toBe(true);
      expect(changedPages()).toEqual([]);
      expect(bytes().includes(CANARY)).toBe(false);
      expect(run('return [globalThis.left ?? null, [].left ?? null, Object.keys(globalThis).length];')).toBe(
        '[null,null,1]',
      );
      expect(instance.reset()).toBe(true);
    }
  });

  // As a program would that found a fault of the engine: no program reaches these places through JavaScript.
  test('by writing anywhere, byte by byte, leaves nothing', () => {
    const places = Array.from(
      { length: memory.buffer.byteLength / PAGE },
      (_none, page) => page * PAGE + ((page * 97) % PAGE),
    );
    for (const chosen of [places, places.filter((_at, index) => index % 2 === 0), places.slice(-1)]) {
      for (const at of chosen) bytes()[at] = (fresh[at] ?? 0) ^ 0xa5;
      expect(changedPages()).toHaveLength(chosen.length);
      expect(instance.reset()).toBe(true);
      expect(changedPages()).toEqual([]);
    }
    expect(run('return input.length;')).toBe(String(CANARY.length));
  });

  test('in a memory beyond 16 MiB, or after more work than it may do, leaves an instance that is not used again', async () => {
    expect(run('globalThis.left = new Uint8Array(2e7).fill(165); return 1;')).toBe('1');
    expect(instance.reset()).toBe(false);
    instance = await createInstance(await compileWasm());
    expect(run('for (;;) {}')).toMatch(/more work/);
    expect(instance.reset()).toBe(false);
  });
});
