export { createFindings, type Findings, MOST_FINDINGS } from './findings.ts';
export { type Places, placesIn } from './places.ts';
export { readSource, type SourceJob, type SourceReading } from './read-source.job.ts';
export { createSources, type ReadSource, type Sources } from './sources.ts';
