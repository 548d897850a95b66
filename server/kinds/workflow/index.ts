export type { Grants } from './effects.ts';
export { createWorkflowKind, type WorkflowKind, type WorkflowKindOptions } from './workflow.ts';
