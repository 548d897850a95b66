export { runOperations } from './operations.ts';
export { runProjection } from './projection.ts';
export { createRuns, type RunInvocation, type Runs } from './runs.ts';
export { runMigrations } from './sql.ts';
