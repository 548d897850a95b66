// Takes secrets out of a text that comes in pieces.
//
// 1. What is given out, put together, is what the scrubber makes of the whole text, wherever the pieces begin.
// 2. An end is held back only while it may be the beginning of a secret, in any writing of it.
import { beginningsOf, createScrubber, PUT_INSTEAD } from './scrub.ts';

export interface GrowingScrubber {
  /** Gives out what is settled; may be empty. */
  add: (more: string) => string;
  /** Gives out the rest. */
  end: () => string;
}

/** @param instead what stands where a secret stood */
export function createGrowingScrubber(secrets: readonly string[], instead: string = PUT_INSTEAD): GrowingScrubber {
  const { text: scrub } = createScrubber(secrets, instead);
  const beginnings = beginningsOf(secrets);
  let pending = '';
  return {
    add(more) {
      pending += more;
      const from = pending.search(beginnings);
      const [settled, held] = from === -1 ? [pending, ''] : [pending.slice(0, from), pending.slice(from)];
      const given = scrub(settled);
      // A whole secret stands across the place: it is given out once what follows is settled too.
      if (given + scrub(held) !== scrub(pending)) return '';
      pending = held;
      return given;
    },
    end() {
      const rest = scrub(pending);
      pending = '';
      return rest;
    },
  };
}
