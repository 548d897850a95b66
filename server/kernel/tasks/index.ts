export { createTaskRunner, type TaskRunner, type TaskRunnerOptions } from './runner.ts';
export { retryWait } from './retry-wait.ts';
export { taskMigrations, type TaskTable } from './sql.ts';
export {
  isUnworkable,
  LeaseLost,
  type NewTask,
  sparing,
  type Task,
  type TaskFailure,
  type TaskHandler,
  type TaskLease,
} from './task.ts';
export { createTasks, type Tasks } from './tasks.ts';
