// Tasks: what is to be done at a time, once (docs/decisions/tasks.md). The runner of a queue (runner.ts) claims and runs them.
// 1. A task runs at its due time or later, never before.
// 2. A claim is held by one runner until it is finished, returned, or expired and taken over. Its number fences off a late finish.
// 3. What a handler did and the removal of its task are one commit. If the handler throws or the process dies, the task is tried again.
// 4. A claim is renewed while its task runs, also one that expired while the process slept.
// 5. A task that is due when it is added is claimed in the same commit where the runner has room.
// 6. A stop waits until its grace is over. What has not ended then is returned, and no try is counted.
// 7. A task with which two processes died is a suspect. Suspects run one at a time; after a third death, `sparing` handlers end it.
// 8. So many tasks run at a time, whatever is due (room.ts). One that waits for a turn (shares.ts) or its commit takes no room.
// 9. No task waits forever: while due tasks wait for room, those that are added wait behind them.
// 10. Where processes share the store, a claim lasts as long as the lease of its holder (shared-store.ts, take-over.ts).
export { TaskRunner, type TaskRunnerOptions } from './runner.ts';
export {
  isFirstTry,
  retryWait,
  isUnworkable,
  LeaseLost,
  type NewTask,
  limitingDeaths,
  type Task,
  type TaskFailure,
  type TaskHandler,
  type TaskLease,
} from './task.ts';
export { readBacklog } from './sql.ts';
export { taskMigrations, type TaskTable } from './sql.ts';
export { freeExpiredClaims, readClaimants } from './take-over.ts';
export { createTasks, type Tasks } from './tasks.ts';
