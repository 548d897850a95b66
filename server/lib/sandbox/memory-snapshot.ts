// A snapshot of a memory that can be restored.
//
// 1. After `restore` every byte is what it was when the snapshot was taken, and what the memory has grown by is zero.
// 2. Pages that held something are written over each time. The rest is examined in stretches: a stretch is empty if its
//    first bytes are zero and every byte equals the one a few bytes further on. Comparing memory with itself reads one
//    place at a time, which is half the work of comparing it with zeros elsewhere.
// 3. A page that was found used is cleared from then on without being examined, since it is mostly used again.

/** Bytes of a page; the least that is copied or cleared. */
const PAGE = 4096;
/** How far a byte is from the one that it is compared with. */
const APART = 64;
const EMPTY = Buffer.alloc(APART);
/** 512 KiB. */
const MOST_CLEARED = 128;

/** A memory whose buffer is another one once it has grown; a whole number of pages. */
interface Memory {
  readonly buffer: ArrayBuffer;
}

export interface MemorySnapshot {
  restore(): void;
}

/** From a byte to before another one. */
type Stretch = readonly [from: number, to: number];

export function takeSnapshot(memory: Memory): MemorySnapshot {
  const first = Buffer.from(memory.buffer);
  const held = pagesIn(0, first.length).filter((at) => !isEmpty(first, at, at + PAGE));
  const kept = stretchesOf(held).map(([from, to]) => ({ from, bytes: Buffer.from(first.subarray(from, to)) }));
  const isHeld = new Set(held);
  const used = new Set<number>();
  let length = 0;
  let cleared: Stretch[] = [];
  let examined: Stretch[] = [];

  function divide(): void {
    cleared = stretchesOf([...used].toSorted((a, b) => a - b));
    examined = stretchesOf(pagesIn(0, length).filter((at) => !isHeld.has(at) && !used.has(at)));
  }

  function clearUsed(bytes: Buffer, from: number, to: number): void {
    for (const at of pagesIn(from, to)) {
      if (isEmpty(bytes, at, at + PAGE)) continue;
      bytes.fill(0, at, at + PAGE);
      if (used.size < MOST_CLEARED) used.add(at);
    }
  }

  return {
    restore() {
      const bytes = Buffer.from(memory.buffer);
      const usedBefore = used.size;
      if (bytes.length !== length) {
        length = bytes.length;
        divide();
      }
      for (const { from, bytes: copy } of kept) copy.copy(bytes, from);
      for (const [from, to] of cleared) bytes.fill(0, from, to);
      for (const [from, to] of examined) if (!isEmpty(bytes, from, to)) clearUsed(bytes, from, to);
      if (used.size > usedBefore) divide();
    },
  };
}

/** Where the pages between two places begin. */
function pagesIn(from: number, to: number): number[] {
  return Array.from({ length: (to - from) / PAGE }, (_none, page) => from + page * PAGE);
}

/** The pages, which are in order, joined where they touch. */
function stretchesOf(pages: readonly number[]): Stretch[] {
  const stretches: [from: number, to: number][] = [];
  for (const at of pages) {
    const last = stretches.at(-1);
    if (last?.[1] === at) last[1] = at + PAGE;
    else stretches.push([at, at + PAGE]);
  }
  return stretches;
}

function isEmpty(bytes: Buffer, from: number, to: number): boolean {
  return (
    bytes.compare(EMPTY, 0, APART, from, from + APART) === 0 &&
    bytes.compare(bytes, from + APART, to, from, to - APART) === 0
  );
}
