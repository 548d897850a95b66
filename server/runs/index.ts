export { RUN_LANES } from './durable/keys.ts';
export { durableRunMigrations } from './durable/sql.ts';
export { runOperations } from './operations.ts';
export { runProjection } from './projection.ts';
export type { RunInvocation, RunTrigger, TriggeredRun } from './invocation.ts';
export { createRuns, type Runs } from './runs.ts';
export { runMigrations } from './sql.ts';
