export { createScrubber, joinScrubbers, type Scrubber, secretTexts } from './scrub.ts';
