export { createGrowingScrubber, type GrowingScrubber } from './growing.ts';
export { createScrubber, joinScrubbers, type Scrubber, SHORTEST_SECRET, secretTexts } from './scrub.ts';
