export { findRuns, type FoundRuns, type RunFilter } from './find-runs.ts';
