export { createGrowingScrubber, type GrowingScrubber } from './growing.ts';
export {
  createScrubber,
  joinScrubbers,
  type Scrubber,
  scrubberOf,
  type ScrubberPart,
  SHORTEST_SECRET,
  secretTexts,
} from './scrub.ts';
