import { expect, test } from 'vitest';
import { compileWasm, withFirstPages } from './wasm-module.ts';

const TYPES = [1, 4, 1, 0x60, 0, 0];
const MAGIC = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** Of `m`: a function `f`, and a memory `a` of 256 pages or more. */
const IMPORTS = [2, 14, 2, 1, 0x6d, 1, 0x66, 0, 0, 1, 0x6d, 1, 0x61, 2, 0, 0x80, 0x02];
const module = new Uint8Array([...MAGIC, ...TYPES, ...IMPORTS]);

test('the least size of the memory is written into its place, and nothing else is changed', () => {
  const changed = withFirstPages(module, 128);
  expect(Buffer.compare(changed.slice(0, -2), module.slice(0, -2))).toBe(0);
  expect(changed.slice(-2)).toEqual(new Uint8Array([0x80, 0x01]));
  expect(withFirstPages(module, 5).slice(-2)).toEqual(new Uint8Array([0x85, 0x00]));
});

test('a module that imports no memory is refused, and a size that has no room too', () => {
  expect(() => withFirstPages(new Uint8Array([...MAGIC, ...TYPES]), 128)).toThrow('imports nothing');
  expect(() => withFirstPages(module, 20_000)).toThrow('does not fit');
});

test('QuickJS is found and compiled with it', async () => {
  expect(Object.prototype.toString.call(await compileWasm())).toBe('[object WebAssembly.Module]');
});
