// Runs. Each folder imports only those named before it: `history` (the events and rows of runs), `durable` (runs that wait
// and are moved by their inputs), `attempts` (work in progress in this process), then `finding` and `rerun`.
export type { WithCaller } from './durable/with-caller.ts';
export type { EndedPayload, NotifyWaiter } from './durable/waiter.ts';
export { createEndWaiting, type EndWaiting } from './durable/requests.ts';
export { createLiveText } from './attempts/live-text.ts';
export { PROCESS_DIED, RUN_LANES, SLOW_START_LANE } from './durable/run-tasks.ts';
export { addDurations, boundsOf, type Durations, LONGEST_COUNTED_EXACTLY, readDurations } from './history/durations.ts';
export { durableRunMigrations } from './durable/sql.ts';
export { runProjection } from './history/projection.ts';
export type { RunInvocation, RunTrigger, TriggeredRun } from './durable/invocation.ts';
export { requireRun } from './history/present.ts';
export { streamOf } from './history/events.ts';
export { type Attempt, attemptOf, metadataOf } from './history/events.ts';
export { createRuns } from './runs.ts';
export type { Runs } from './interface.ts';
export { isTriggeredInProgress, type RunRow, selectRun, selectStartedBelow } from './history/sql.ts';
export { runMigrations } from './history/migrations.ts';
export type { RunRequests } from './durable/requests.ts';
export { inputSizeIssues, runOperations } from './operations.ts';
