import { describe, expect, test } from 'vitest';
import { compileWasm, withFirstPages, withStackTop } from './wasm-module.ts';

const TYPES = [1, 4, 1, 0x60, 0, 0];
const MAGIC = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** Of `m`: a function `f`, and a memory `a` of 256 pages or more. */
const IMPORTS = [2, 15, 2, 1, 0x6d, 1, 0x66, 0, 0, 1, 0x6d, 1, 0x61, 2, 0, 0x80, 0x02];
const module = new Uint8Array([...MAGIC, ...TYPES, ...IMPORTS]);

test('the least size of the memory is written into its place, and nothing else is changed', () => {
  const changed = withFirstPages(module, 128);
  expect(Buffer.compare(changed.slice(0, -2), module.slice(0, -2))).toBe(0);
  expect(changed.slice(-2)).toEqual(Buffer.from([0x80, 0x01]));
  expect(withFirstPages(module, 5).slice(-2)).toEqual(Buffer.from([0x85, 0x00]));
});

test('a module that imports no memory is refused, and a size that has no room too', () => {
  expect(() => withFirstPages(new Uint8Array([...MAGIC, ...TYPES]), 128)).toThrow('no section 2');
  expect(() => withFirstPages(module, 20_000)).toThrow('does not fit');
});

describe('the top of the stack', () => {
  /** 5,333,088 as the stack pointer's first value, and as the end of the heap, in a segment of three bytes. */
  const POINTER = [6, 9, 1, 0x7f, 1, 0x41, 0xe0, 0xc0, 0xc5, 0x02, 0x0b];
  const heapEnd = (bytes: number[]): number[] => [11, 9, 1, 0, 0x41, 16, 0x0b, 3, ...bytes];
  const HEAP_END = heapEnd([0x60, 0x60, 0x51]);

  test('is written where the stack pointer and the heap begin, and nothing else is changed', () => {
    const built = new Uint8Array([...MAGIC, ...TYPES, ...POINTER, ...HEAP_END]);
    const moved = [6, 9, 1, 0x7f, 1, 0x41, 0xe0, 0xc0, 0xd5, 0x00, 0x0b, ...heapEnd([0x60, 0x60, 0x15])];
    const expected = Uint8Array.from([...MAGIC, ...TYPES, ...moved]);
    expect(Uint8Array.from(withStackTop(built, 5_333_088, 1_400_928))).toEqual(expected);
  });

  test.each([
    ['a module with another stack pointer', [...POINTER.with(6, 0xe1), ...HEAP_END], 1_400_928, 'stack pointer'],
    ['a heap that begins elsewhere', [...POINTER, ...heapEnd([1, 2, 3])], 1_400_928, 'end of the heap'],
    ['a number of another length', [...POINTER, ...HEAP_END], 1000, 'does not fit'],
  ])('is refused for %s', (_name, sections, to, words) => {
    expect(() => withStackTop(new Uint8Array([...MAGIC, ...sections]), 5_333_088, to)).toThrow(words);
  });
});

test('QuickJS is found and compiled with it', async () => {
  expect(Object.prototype.toString.call(await compileWasm())).toBe('[object WebAssembly.Module]');
});
