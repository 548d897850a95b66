export { createFindings, type Findings, MOST_FINDINGS } from './findings.ts';
export { type Places, placesIn } from './places.ts';
export { readSource, type SourceJob, type SourceReading } from './read-source.job.ts';
export {
  createSources,
  READ_DEADLINE_MS,
  READ_SOURCE,
  type ReadSource,
  type SourceReader,
  type Sources,
} from './sources.ts';
