// Removes secrets from a text that arrives in pieces.
//
// 1. The output, concatenated, equals the scrubbed whole text, wherever it was split.
// 2. The end of the text is held back only while it may be the beginning of a secret, in any encoding of it.
// 3. What is held back is bounded, so that a piece takes no longer the more came before it.
import { beginningsOf, createScrubber, PUT_INSTEAD } from './scrub.ts';

export interface GrowingScrubber {
  /** Returns what is certain so far; may be empty. */
  add: (more: string) => string;
  /** Returns the rest. */
  end: () => string;
}

/** No encoding makes a secret longer than this many times. */
const LONGEST_ENCODING = 16;

/** @param instead what stands where a secret stood */
export function createGrowingScrubber(secrets: readonly string[], instead: string = PUT_INSTEAD): GrowingScrubber {
  const { text: scrub } = createScrubber(secrets, instead);
  const beginnings = beginningsOf(secrets);
  const most = LONGEST_ENCODING * Math.max(0, ...secrets.map(({ length }) => length));
  let pending = '';
  return {
    add(more) {
      pending += more;
      const from = pending.search(beginnings);
      const [certain, held] = from === -1 ? [pending, ''] : [pending.slice(0, from), pending.slice(from)];
      const output = scrub(certain);
      const whole = scrub(pending);
      const isDivided = output + scrub(held) !== whole;
      if (held.length > most || (isDivided && pending.length - more.length > most)) {
        pending = '';
        return whole;
      }
      // The cut would divide a complete secret: wait until the part behind it is certain too.
      if (isDivided) return '';
      pending = held;
      return output;
    },
    end() {
      const rest = scrub(pending);
      pending = '';
      return rest;
    },
  };
}
