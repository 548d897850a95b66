// QuickJS as a WebAssembly module that takes a smaller memory than it was built with. The module asks for 16 MiB at
// least, of which its data, its stack and its own beginnings fill a third; what is not there need not be put back.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Bytes of a page of WebAssembly memory. */
export const PAGE = 64 * 1024;
/** 8 MiB: some 2.5 MiB of it are free for a program before the memory grows. */
export const FIRST_PAGES = 128;

let compiled: Promise<WebAssembly.Module> | undefined;

/** Compiled once a process; workers share it. */
export function compileWasm(): Promise<WebAssembly.Module> {
  const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  compiled ??= WebAssembly.compile(withFirstPages(readFileSync(file), FIRST_PAGES));
  return compiled;
}

const IMPORT_SECTION = 2;
const FUNCTION = 0;
const MEMORY = 2;

/**
 * The module with another least size of the memory that it imports (WebAssembly Core Specification, section 5.5.5).
 * @throws Error for a module that imports no memory, or something before it besides functions
 */
export function withFirstPages(module: Uint8Array, pages: number): Uint8Array {
  const bytes = Uint8Array.from(module);
  let at = 8;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (bytes[at] !== IMPORT_SECTION) {
    at += 1;
    const length = number();
    at += length;
    if (at >= bytes.length) throw new Error('The module imports nothing.');
  }
  at += 1;
  number();
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
      writeNumber(bytes.subarray(start, at), pages);
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
