export {
  type CheckedWorkflow,
  checkWorkflowDocument,
  type WorkflowCheck,
} from './check-document.ts';
export type {
  Backoff,
  CallTask,
  ConsumptionStrategy,
  DoTask,
  DocumentHead,
  EmitTask,
  ErrorDefinition,
  ErrorFilter,
  EventFilter,
  Export,
  Extension,
  ForkTask,
  ForTask,
  InputRule,
  ListenTask,
  OutputRule,
  RaiseTask,
  ReadAs,
  RetryPolicy,
  RunTask,
  Schedule,
  SetTask,
  SwitchTask,
  Task,
  TaskList,
  Timeout,
  TryTask,
  Use,
  WaitTask,
  WorkflowDocument,
} from './dsl.ts';

export type { WorkflowExample } from './examples.ts';
export type { EdgeKind, GraphEdge, GraphNode, WorkflowGraph } from './graph.ts';
export type { DocumentSurroundings, McpTransport } from './surroundings.ts';
export { type TaskKind, taskKindOf } from './task-kind.ts';
export type { Trigger, TriggerFilter } from './triggers.ts';
