// The bounds of folding, and what a failed or late batch reports.
import { describe, expect, test } from 'vitest';
import type { Folded, NotFolded } from './index.ts';
import { createViewSandbox, MIB, view } from './views.testing.ts';

const { sandbox, once } = createViewSandbox();

describe('a hostile program stops at a bound', () => {
  test.each([
    ['work without end', 'for (;;) {}', /more work/],
    ['memory without end', 'const all = []; for (;;) all.push(new Array(1000).fill(1));', /64 MiB/],
    ['a recursion without end', 'const f = () => f() + 1; return f();', /1 MiB/],
    [
      'a text that nests too deep',
      'return JSON.parse("[".repeat(1e5) + "]".repeat(1e5));',
      /broke the sandbox|too deeply/,
    ],
    [
      'work that catches what stops it',
      'for (;;) { try { for (;;) {} } catch {} finally { state.n = 1; } }',
      /more work/,
    ],
    [
      'a forged error',
      'throw { name: "x".repeat(1e6), message: "y".repeat(1e6), stack: "" };',
      /threw x{100}: y{500}\.$/,
    ],
  ])('%s', async (_name, body, words) => {
    expect(await once(body)).toMatch(words);
  });

  test('and each event has the whole of the work, also in a long batch', async () => {
    const program = view('let n = 0; while (n < 3000000) n += 1; state.n = (state.n ?? 0) + 1; return state;');
    const state = async (events: object[]): Promise<Folded | NotFolded> => {
      const texts = events.map((event) => JSON.stringify({ id: 'a', at: '2026-01-01T00:00:00Z', ...event }));
      const folded = await sandbox.fold({ source: program, state: '', events: texts, stateBytes: MIB });
      if (typeof folded !== 'object' || folded.kind === 'ended') throw new Error('Nothing was folded.');
      return folded;
    };
    const folded = await state(Array.from({ length: 5 }, () => ({})));
    expect(folded).toMatchObject({ kind: 'folded' });
    expect((folded as Folded).state).toBe(`{"n":${(folded as Folded).count}}`);
  });

  test('and nothing of it is there for a program that comes after it, nor is anything frozen for that one', async () => {
    await once('state.n = 1; return state;', { top: 'const leak = 1;' });
    const source = 'export default () => { globalThis.n = 1; Array.prototype.n = 2; return [[].n, typeof Proxy]; };';
    for (let round = 0; round < 4; round += 1) {
      const ran = await sandbox.run({ source, input: '{}', now: 0, seed: 1, outputBytes: 100 });
      expect(ran).toMatchObject({ kind: 'ran', output: '[2,"function"]' });
    }
  });
});

test('the event at which a batch failed is told, and the place in the program', async () => {
  const source = view('if (event.n === 2)\n    throw new Error("no");\n  return state;');
  const events = [0, 1, 2, 3].map((n) => JSON.stringify({ id: 'a', at: '2026-01-01T00:00:00Z', n }));
  expect(await sandbox.fold({ source, state: '', events, stateBytes: MIB })).toEqual({
    kind: 'not_folded',
    index: 2,
    detail: expect.stringMatching(/^Line 4, column \d+: The program threw Error: no\.$/),
  });
});

test('events that are quick at first and then do more together than one may are folded each alone', async () => {
  const source = view('for (let n = 0; n < event.n; n += 1); state.n = (state.n ?? 0) + 1; return state;');
  const events = Array.from({ length: 12 }, (_none, n) =>
    JSON.stringify({ id: 'a', at: '2026-01-01T00:00:00Z', n: n < 8 ? 1 : 3_000_000 }),
  );
  expect(await sandbox.fold({ source, state: '', events, stateBytes: MIB })).toMatchObject({ kind: 'folded' });
});

test('an event that fails far into a batch is named, and the events before it can be folded without it', async () => {
  const source = view('if (event.n === 700) throw new Error("no"); state.n = event.n + 1; return state;');
  const events = Array.from({ length: 800 }, (_none, n) => JSON.stringify({ id: 'a', at: '2026-01-01T00:00:00Z', n }));
  const fold = (some: readonly string[]) => sandbox.fold({ source, state: '', events: some, stateBytes: MIB });
  expect(await fold(events)).toMatchObject({ kind: 'not_folded', index: 700 });
  expect(await fold(events.slice(0, 700))).toEqual({ kind: 'folded', count: 700, state: '{"n":700}' });
});

test('an event that is stuck inside a built-in ends the batch, and is reported', async () => {
  const source = view("if (event.n === 2) 'a'.repeat(9e6).indexOf('a'.repeat(4e6) + 'b');\n  return state;");
  const events = [0, 1, 2, 3].map((n) => JSON.stringify({ id: 'a', at: '2026-01-01T00:00:00Z', n }));
  expect(await sandbox.fold({ source, state: '', events, stateBytes: MIB })).toEqual({
    kind: 'ended',
    index: 2,
    how: 'late',
  });
});

test('a batch ends when its time is up, with what was folded', async () => {
  const source = view('let n = 0; while (n < 2000000) n += 1; return state;');
  const events = Array.from({ length: 500 }, () => JSON.stringify({ id: 'a', at: '2026-01-01T00:00:00Z' }));
  const folded = await sandbox.fold({ source, state: '', events, stateBytes: MIB });
  expect(folded).toMatchObject({ kind: 'folded' });
  expect((folded as Folded).count).toBeLessThan(500);
});
