export { createGrowingScrubber, type GrowingScrubber } from './growing.ts';
export {
  createScrubber,
  joinScrubbers,
  PUT_INSTEAD,
  type Scrubber,
  scrubberOf,
  type ScrubberPart,
  SHORTEST_SECRET,
  secretTexts,
} from './scrub.ts';
