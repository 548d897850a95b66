// A snapshot of a memory that can be restored.
//
// 1. After `restore` every byte is what it was when the snapshot was taken, and what the memory has grown by is zero.
// 2. Pages that held something are written over each time. The rest is examined in stretches: a stretch is empty if its
//    first bytes are zero and every byte equals the one a few bytes further on. Comparing memory with itself reads one
//    place at a time, which is half the work of comparing it with zeros elsewhere.
// 3. A page that was found used is cleared from then on without being examined, since it is mostly used again.
// 4. A state that is reached again and again is recorded as its changes: what differs from the snapshot.

/** Bytes of a page; the least that is copied or cleared. */
const PAGE = 4096;
/** Bytes of a block; the least that is recorded of changes. */
const BLOCK = 256;
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
  /** Copies what differs from the snapshot. */
  changes(): MemoryChanges;
}

export interface MemoryChanges {
  readonly bytes: number;
  /** Makes the changes again, in a memory that was restored. */
  apply(): void;
}

/** From a byte to before another one. */
type Stretch = readonly [from: number, to: number];

/** What stood at a place. */
interface Copy {
  from: number;
  bytes: Buffer;
}

export function takeSnapshot(memory: Memory): MemorySnapshot {
  const first = Buffer.from(memory.buffer);
  const held = placesIn(0, first.length).filter((at) => !isEmpty(first, at, at + PAGE));
  const kept = copiesOf(first, stretchesOf(held));
  const isHeld = new Set(held);
  const used = new Set<number>();
  let length = 0;
  let cleared: Stretch[] = [];
  let examined: Stretch[] = [];

  function divide(): void {
    cleared = stretchesOf([...used].toSorted((a, b) => a - b));
    examined = stretchesOf(placesIn(0, length).filter((at) => !isHeld.has(at) && !used.has(at)));
  }

  /** Blocks that differ from the snapshot, joined where they touch. */
  function changed(bytes: Buffer): Stretch[] {
    const inHeld = kept.flatMap(({ from, bytes: copy }) =>
      blocksIn([from, from + copy.length], (at, to) => bytes.compare(copy, at - from, to - from, at, to) !== 0),
    );
    const others = stretchesOf(placesIn(0, bytes.length).filter((at) => !isHeld.has(at)));
    const inOthers = others.flatMap((stretch) => blocksIn(stretch, (at, to) => !isEmpty(bytes, at, to)));
    return stretchesOf([...inHeld, ...inOthers], BLOCK);
  }

  function clearUsed(bytes: Buffer, from: number, to: number): void {
    for (const at of placesIn(from, to)) {
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
      write(kept, bytes);
      for (const [from, to] of cleared) bytes.fill(0, from, to);
      for (const [from, to] of examined) if (!isEmpty(bytes, from, to)) clearUsed(bytes, from, to);
      if (used.size > usedBefore) divide();
    },
    changes() {
      const bytes = Buffer.from(memory.buffer);
      const copies = copiesOf(bytes, changed(bytes));
      return {
        bytes: copies.reduce((sum, { bytes: copy }) => sum + copy.length, 0),
        apply: () => write(copies, Buffer.from(memory.buffer)),
      };
    },
  };
}

/** Where the pages between two places begin. */
function placesIn(from: number, to: number): number[] {
  return Array.from({ length: (to - from) / PAGE }, (_none, index) => from + index * PAGE);
}

/** Where the blocks of a stretch begin that differ, found by halving it. */
function blocksIn([from, to]: Stretch, differs: (from: number, to: number) => boolean): number[] {
  if (!differs(from, to)) return [];
  if (to - from === BLOCK) return [from];
  const middle = from + Math.ceil((to - from) / 2 / BLOCK) * BLOCK;
  return [...blocksIn([from, middle], differs), ...blocksIn([middle, to], differs)];
}

/** Pages or blocks, joined where they touch in this order. */
function stretchesOf(places: readonly number[], size = PAGE): Stretch[] {
  const stretches: [from: number, to: number][] = [];
  for (const at of places) {
    const last = stretches.at(-1);
    if (last?.[1] === at) last[1] = at + size;
    else stretches.push([at, at + size]);
  }
  return stretches;
}

function copiesOf(bytes: Buffer, stretches: readonly Stretch[]): Copy[] {
  return stretches.map(([from, to]) => ({ from, bytes: Buffer.from(bytes.subarray(from, to)) }));
}

function write(copies: readonly Copy[], bytes: Buffer): void {
  for (const { from, bytes: copy } of copies) copy.copy(bytes, from);
}

function isEmpty(bytes: Buffer, from: number, to: number): boolean {
  return (
    bytes.compare(EMPTY, 0, APART, from, from + APART) === 0 &&
    bytes.compare(bytes, from + APART, to, from, to - APART) === 0
  );
}
