export { createFindings, type Findings, MOST_FINDINGS } from './findings.ts';
export { parseSource, valueOf } from './parse.ts';
export { type Places, placesOf } from './places.ts';
export { readSource } from './read-source.ts';
