// Removes secrets from a text that arrives in pieces.
//
// 1. The concatenated output equals the scrubbed text, wherever the text was split.
// 2. The end of the text is held back only while it may be the beginning of a secret, in any of its encodings.
// 3. The text that is held back is limited, so that the cost of a piece does not grow with the text before it.
import { beginningsOf, createScrubber, PUT_INSTEAD } from './scrub.ts';

export interface GrowingScrubber {
  /** Adds a piece and returns the text that is certain; may be empty. */
  add: (more: string) => string;
  /** Returns the rest. */
  end: () => string;
}

/** No encoding makes a secret longer by more than this factor. */
const LONGEST_ENCODING = 16;

/** @param instead the text that replaces a secret */
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
      // The cut would divide a complete secret: wait until the part after it is certain too.
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
