export { createScrubber, type Scrubber, secretTexts } from './scrub.ts';
