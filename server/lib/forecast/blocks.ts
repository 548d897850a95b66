// Numbers that arrive one by one, in blocks: nothing is copied when there are more, and what they take is bounded by what
// was added.

const BLOCK = 65_536;

interface NumberArray {
  [index: number]: number;
  readonly length: number;
}

export interface Blocks {
  readonly length: number;
  push(value: number): void;
  /** Calls back with each number and its position, in the order in which they were added. */
  each(visit: (value: number, position: number) => void): void;
}

/** @param create makes a block, such as `(length) => new Int32Array(length)` */
export function createBlocks(create: (length: number) => NumberArray): Blocks {
  const blocks: NumberArray[] = [];
  let last: NumberArray = create(0);
  let used = 0;
  return {
    get length() {
      return blocks.length === 0 ? 0 : (blocks.length - 1) * BLOCK + used;
    },
    push(value) {
      if (used === last.length) {
        last = create(BLOCK);
        blocks.push(last);
        used = 0;
      }
      last[used] = value;
      used += 1;
    },
    each(visit) {
      blocks.forEach((block, at) => {
        const end = at === blocks.length - 1 ? used : BLOCK;
        for (let index = 0; index < end; index += 1) visit(block[index] ?? Number.NaN, at * BLOCK + index);
      });
    },
  };
}
