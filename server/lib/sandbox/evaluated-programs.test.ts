// A program that is put into the memory as it was after its evaluation runs as if it had been evaluated again.
import { beforeEach, describe, expect, test } from 'vitest';
import { createInstance, createMemory, type Instance } from './instance.ts';
import type { RunJob } from './job.ts';
import { runProgram } from './run-program.ts';
import { compileWasm } from './wasm-module.ts';

let memory: WebAssembly.Memory;
let instance: Instance;
beforeEach(async () => {
  memory = createMemory();
  instance = await createInstance(await compileWasm(), memory);
});

const BEFORE_IT_IS_KEPT = 2;

function run(source: string, given: Partial<RunJob> = {}): unknown {
  const job = { kind: 'run', source, isStripped: true, input: '{"n":1}', now: 0, seed: 1, outputBytes: 1000 } as const;
  const ran = runProgram(instance, source, { ...job, ...given });
  return ran.kind === 'ran' ? { output: JSON.parse(ran.output) as unknown, console: ran.console } : ran;
}

/** What a program does, and the memory afterwards, in one run after the other. */
function runs(source: string, count: number, given: Partial<RunJob> = {}): { ran: unknown; left: Buffer }[] {
  return Array.from({ length: count }, () => {
    const ran = run(source, given);
    const left = Buffer.from(Buffer.from(memory.buffer));
    expect(instance.reset()).toBe(true);
    return { ran, left };
  });
}

describe('every run leaves the same bytes as the first one', () => {
  test.each([
    ['a small program', 'export default (input) => ({ n: input.n + 1 })'],
    [
      'one with tables, functions and classes at its top level',
      'const table = new Map(Array.from({ length: 500 }, (_, n) => [`k${n}`, { n }])); class Sum { #all = 0; add(n) { this.#all += n; return this.#all; } }\n' +
        'const sum = new Sum(); export default (input) => { table.get("k7").n += 1; return [sum.add(input.n), table.get("k7").n]; }',
    ],
    [
      'one that waits and prints at its top level',
      'const n = await Promise.resolve(3); console.log("top", n); export default async (input) => { console.log("run"); return n + input.n; }',
    ],
    ['one that changes the built-ins', 'Array.prototype.more = 1; export default () => [globalThis.left = [].more++];'],
    ['one whose default export is no function', 'export default 5'],
  ])('%s', (_name, source) => {
    const [first, ...others] = runs(source, 4);
    expect(instance.programs.restore(source)).toBeDefined();
    for (const { ran, left } of others) {
      expect(ran).toEqual(first?.ran);
      expect(left.equals(first?.left ?? Buffer.alloc(0))).toBe(true);
    }
  });

  test('a view that answers', () => {
    const source = `const step = 2; export const initial = { n: 0 }; export const evolve = (state) => state;
      export const answer = (state, input) => [state.n + input.n + step, Date.now(), Math.random()];
      export const cuebook$constants = { step, initial, evolve, answer }, cuebook$declared = () => [];`;
    const [first, ...others] = runs(source, 4, { state: '{"n":4}', now: 99, seed: 3 });
    expect(first?.ran).toMatchObject({ output: [7, 99, expect.any(Number)] });
    instance.harden();
    expect(instance.views.restore(source)).toBeDefined();
    for (const { ran, left } of others) {
      expect(ran).toEqual(first?.ran);
      expect(left.equals(first?.left ?? Buffer.alloc(0))).toBe(true);
    }
  });
});

test('a run reads its own time and chance, and nothing of the runs before', () => {
  const source =
    'let count = 0; export default (input) => [count++, input.n, Date.now(), new Date().getTime(), Math.random()]';
  const outputs = Array.from({ length: 4 }, (_none, n) => {
    const { output } = run(source, { input: `{"n":${n}}`, now: 1000 + n, seed: n }) as { output: number[] };
    instance.reset();
    return output;
  });
  expect(outputs.map((output) => output.slice(0, 4))).toEqual([0, 1, 2, 3].map((n) => [0, n, 1000 + n, 1000 + n]));
  expect(new Set(outputs.map((output) => output[4])).size).toBe(4);
});

describe('a program is evaluated each time if its top level reads', () => {
  const given = [1000, 1001, 1002, 1003];
  const outputsOf = (source: string): unknown[] =>
    given.map((now, seed) => {
      const { output } = run(source, { now, seed }) as { output: unknown };
      instance.reset();
      return output;
    });

  test.each([
    ['the time', 'const read = Date.now(); export default () => read'],
    ['the time as a text', 'const read = new Date(Date.now()); export default () => Number(read)'],
    ['the time in a job', 'let read; Promise.resolve().then(() => (read = Date.now())); export default () => read'],
  ])('%s', (_name, source) => {
    expect(outputsOf(source)).toEqual(given);
    expect(instance.programs.restore(source)).toBeUndefined();
  });

  test('chance', () => {
    const source = 'const read = Math.random(); export default () => read';
    expect(new Set(outputsOf(source)).size).toBe(given.length);
    expect(instance.programs.restore(source)).toBeUndefined();
  });
});

test('a program whose evaluation fills more memory than is kept is evaluated each time, and recorded once', () => {
  const source =
    'const all = Array.from({ length: 60_000 }, (_, n) => ({ n })); export default (input) => all.length + input.n';
  for (let count = 0; count < 4; count += 1) {
    expect(run(source)).toMatchObject({ output: 60_001 });
    expect(instance.reset()).toBe(true);
    expect(instance.programs.isSteady(source)).toBe(count === 0);
  }
  expect(instance.programs.restore(source)).toBeUndefined();
});

test('a run that does too much is stopped after the same work', async () => {
  const source = `let n = 0; while (n < 1e6) n += 1;
    export default (input) => { if (input.isEndless) for (;;) { n += 1; if (n % 1000 === 0) console.log(n); } }`;
  const endless = { input: '{"isEndless":true}' };
  const evaluated = run(source, endless);
  expect(evaluated).toMatchObject({ kind: 'stopped' });
  instance = await createInstance(await compileWasm());
  for (let count = 0; count < BEFORE_IT_IS_KEPT; count += 1) {
    run(source);
    instance.reset();
  }
  expect(instance.programs.restore(source)).toBeDefined();
  instance.reset();
  expect(run(source, endless)).toEqual(evaluated);
});
