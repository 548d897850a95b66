// A snapshot of a memory that can be restored.
//
// 1. After `restore` every byte is what it was when the snapshot was taken, and what the memory has grown by is zero.
// 2. Chunks that held something are written over each time. What held nothing is looked at as a stretch: it is empty
//    when its first chunk is and when every byte of it is the same as the one a chunk further on. Compared with itself,
//    untouched memory costs a third of what comparing it with a second memory would.
// 3. A chunk that was found used is from then on cleared without a look, as it mostly is used again.

const CHUNK = 64 * 1024;
const EMPTY = Buffer.alloc(CHUNK);
const MOST_CLEARED = 32;

/** A memory whose buffer is another one once it has grown; a whole number of chunks. */
interface Memory {
  readonly buffer: ArrayBuffer;
}

export interface MemorySnapshot {
  restore(): void;
}

export function takeSnapshot(memory: Memory): MemorySnapshot {
  const held = heldChunks(Buffer.from(memory.buffer));
  const cleared = new Set<number>();
  let length = 0;
  let stretches: (readonly [number, number])[] = [];

  function clear(bytes: Buffer, from: number, to: number): void {
    for (let at = from; at < to; at += CHUNK) {
      if (isEmpty(bytes, at, at + CHUNK)) continue;
      bytes.fill(0, at, at + CHUNK);
      if (cleared.size < MOST_CLEARED) cleared.add(at);
    }
    stretches = stretchesBetween(bytes.length, (at) => held.has(at) || cleared.has(at));
  }

  return {
    restore() {
      const bytes = Buffer.from(memory.buffer);
      if (bytes.length !== length) {
        length = bytes.length;
        stretches = stretchesBetween(length, (at) => held.has(at) || cleared.has(at));
      }
      for (const [at, chunk] of held) chunk.copy(bytes, at);
      for (const at of cleared) bytes.fill(0, at, at + CHUNK);
      for (const [from, to] of stretches) if (!isEmpty(bytes, from, to)) clear(bytes, from, to);
    },
  };
}

/** Copies of the chunks that hold something, by where they begin. */
function heldChunks(bytes: Buffer): Map<number, Buffer> {
  const held = new Map<number, Buffer>();
  for (let at = 0; at < bytes.length; at += CHUNK) {
    if (!isEmpty(bytes, at, at + CHUNK)) held.set(at, Buffer.from(bytes.subarray(at, at + CHUNK)));
  }
  return held;
}

/** Where the chunks lie, as wide as they go, that are not taken. */
function stretchesBetween(length: number, isTaken: (at: number) => boolean): (readonly [number, number])[] {
  const stretches: [number, number][] = [];
  for (let at = 0; at < length; at += CHUNK) {
    if (isTaken(at)) continue;
    const last = stretches.at(-1);
    if (last?.[1] === at) last[1] = at + CHUNK;
    else stretches.push([at, at + CHUNK]);
  }
  return stretches;
}

function isEmpty(bytes: Buffer, from: number, to: number): boolean {
  return (
    bytes.compare(EMPTY, 0, CHUNK, from, from + CHUNK) === 0 &&
    bytes.compare(bytes, from + CHUNK, to, from, to - CHUNK) === 0
  );
}
