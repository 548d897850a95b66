// Which arguments an expression has, by where it stands: the standard's table (dsl.md, "Runtime expression arguments").

const ALWAYS = ['secrets', 'workflow', 'runtime'] as const;

export const AT_WORKFLOW_INPUT: readonly string[] = [...ALWAYS];
export const AT_WORKFLOW_OUTPUT: readonly string[] = ['context', ...ALWAYS];
/** `if` and `input.from`: on the raw input. */
export const AT_RAW_INPUT: readonly string[] = ['context', 'task', ...ALWAYS];
/** The task itself and `output.as`. */
export const AT_TASK: readonly string[] = ['context', 'input', 'task', 'authorization', ...ALWAYS];
export const AT_EXPORT: readonly string[] = [...AT_TASK, 'output'];
/** The filters of a schedule: no run is there yet. */
export const AT_SCHEDULE: readonly string[] = ['secrets', 'runtime'];

export const ARGUMENTS: readonly string[] = [...AT_EXPORT];
