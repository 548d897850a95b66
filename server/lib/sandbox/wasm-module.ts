// QuickJS as a WebAssembly module with a smaller memory than it was built with. Every byte of the memory is restored
// after each program, so unused memory costs time.
//
// The module's memory begins with its data, followed by its stack, which grows downwards, and its heap. It was built
// with a stack of 5 MiB and a memory of at least 16 MiB. QuickJS itself limits its stack to 1 MiB, and its heap starts
// with a quarter of a MiB. So the top of the stack is moved down, and the heap with it: both are one number, the
// initial value of the stack pointer and that of the heap's end.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Bytes of a page of WebAssembly memory. */
export const PAGE = 64 * 1024;
/** 1.75 MiB, of which some 0.15 MiB are free for a program before the memory grows. */
export const FIRST_PAGES = 28;
/** The end of the stack that the module was built with, in bytes from the beginning of the memory. */
const BUILT_STACK_TOP = 5_333_088;
/** Leaves a stack of 1.25 MiB: the limit of 1 MiB, and what the engine uses between two looks at that limit. */
const STACK_TOP = BUILT_STACK_TOP - 60 * PAGE;

let compiled: Promise<WebAssembly.Module> | undefined;

/** Compiled once a process; workers share it. */
export function compileWasm(): Promise<WebAssembly.Module> {
  const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  compiled ??= WebAssembly.compile(
    withFirstPages(withStackTop(readFileSync(file), BUILT_STACK_TOP, STACK_TOP), FIRST_PAGES),
  );
  return compiled;
}

const IMPORT_SECTION = 2;
const GLOBAL_SECTION = 6;
const DATA_SECTION = 11;
const FUNCTION = 0;
const MEMORY = 2;
const MUTABLE_I32 = [0x7f, 0x01];
const I32_CONST = 0x41;
const END = 0x0b;

/**
 * The module with its stack and its heap elsewhere: the stack pointer, its only global, and the heap's end, a data
 * segment of its own, begin with another number (WebAssembly Core Specification, sections 5.5.9 and 5.5.14).
 * @throws Error if one of the two does not begin with `from`, or `to` has no room in its place
 */
export function withStackTop(module: Uint8Array, from: number, to: number): Uint8Array {
  const bytes = Buffer.from(module);
  const globals = sectionOf(bytes, GLOBAL_SECTION);
  const pointer = [...MUTABLE_I32, I32_CONST, ...signed(from), END];
  if (!globals.equals(Uint8Array.from([1, ...pointer]))) throw new Error('The stack pointer is not the only global.');
  const moved = signed(to);
  if (moved.length !== signed(from).length) throw new Error('The number does not fit its place.');
  globals.set(moved, 1 + MUTABLE_I32.length + 1);

  const data = sectionOf(bytes, DATA_SECTION);
  // Trailing zeros are not part of a segment: three bytes, after their length.
  const segment = (end: number): Buffer => Buffer.from([END, 3, end & 0xff, (end >> 8) & 0xff, (end >> 16) & 0xff]);
  const at = data.indexOf(segment(from));
  if (at < 0 || data.includes(segment(from), at + 1)) throw new Error('The end of the heap is not found.');
  data.set(segment(to), at);
  return bytes;
}

/** The content of a section, in place. */
function sectionOf(bytes: Buffer, id: number): Buffer {
  for (let at = 8; at < bytes.length; ) {
    const found = bytes[at];
    const length = numberAt(bytes, at + 1);
    if (found === id) return bytes.subarray(length.end, length.end + length.value);
    at = length.end + length.value;
  }
  throw new Error(`The module has no section ${id}.`);
}

/** An unsigned LEB128 number, and where it ends. */
function numberAt(bytes: Uint8Array, from: number): { value: number; end: number } {
  let value = 0;
  for (let at = from, factor = 1; ; at += 1, factor *= 128) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value, end: at + 1 };
  }
}

/** A positive number as signed LEB128. */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}

/**
 * The module with another least size of the memory that it imports (WebAssembly Core Specification, section 5.5.5).
 * @throws Error for a module that imports no memory, or something before it besides functions
 */
export function withFirstPages(module: Uint8Array, pages: number): Uint8Array {
  const bytes = Buffer.from(module);
  const imports = sectionOf(bytes, IMPORT_SECTION);
  let at = 0;
  const number = (): number => {
    const { value, end } = numberAt(imports, at);
    at = end;
    return value;
  };
  for (let left = number(); left > 0; left -= 1) {
    for (let name = 0; name < 2; name += 1) {
      const length = number();
      at += length;
    }
    const kind = number();
    if (kind === MEMORY) {
      number();
      const start = at;
      number();
      writeNumber(imports.subarray(start, at), pages);
      return bytes;
    }
    if (kind !== FUNCTION) break;
    number();
  }
  throw new Error('The module imports no memory.');
}

/** Fills the whole place, so that nothing after it moves: a number may be written longer than it need be. */
function writeNumber(place: Uint8Array, value: number): void {
  if (value >= 2 ** (7 * place.length)) throw new Error('The number does not fit its place.');
  place.forEach((_, index) => {
    const bits = Math.floor(value / 2 ** (7 * index)) & 0x7f;
    place[index] = index === place.length - 1 ? bits : bits | 0x80;
  });
}
