import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { createInstance } from './instance.ts';

const WASM = await WebAssembly.compile(readFileSync(createRequire(import.meta.url).resolve('jq-wasm/jq.wasm')));

/** Nested lists. */
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

// Printing takes about 1.6 KiB of stack per level: at 640 levels the stack overflows without a trap. This fails if the
// stack of another build of jq has another address; adjust `STACK_END` then.
test('given values that nest deeply, when the stack runs into the data below it, then no answer is given', async () => {
  const instance = await createInstance(WASM);
  expect(instance.run('.', nested(560))).toMatchObject({ kind: 'ran', result: { exitCode: 0 }, isSpent: false });
  expect(instance.run('.', nested(640))).toEqual({
    kind: 'broken',
    detail: 'The expression, or a value in it, is nested too deeply.',
  });
});

test('given a value that took much memory, when it is gone, then the instance is spoilt', async () => {
  const instance = await createInstance(WASM);
  expect(instance.run('[range(1000)] | length', 'null')).toMatchObject({ result: { stdout: '1000' }, isSpent: false });
  expect(instance.run('[range(3e6)] | length', 'null')).toMatchObject({
    result: { stdout: '3000000' },
    isSpent: true,
  });
});

test('given a trap, when it comes, then the instance is broken', async () => {
  const instance = await createInstance(WASM);
  expect(instance.run('.', nested(5000))).toMatchObject({ kind: 'broken' });
});
