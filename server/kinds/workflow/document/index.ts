export {
  type CheckedWorkflow,
  checkWorkflowDocument,
  type WorkflowCheck,
} from './check-document.ts';
export type {
  Backoff,
  ConsumptionStrategy,
  DocumentHead,
  ErrorDefinition,
  ErrorFilter,
  EventFilter,
  Export,
  Extension,
  InputRule,
  OutputRule,
  ReadAs,
  RetryPolicy,
  Schedule,
  Task,
  TaskList,
  Timeout,
  Use,
  WorkflowDocument,
} from './dsl.ts';

export type { CallKeyword } from './calls/forms.ts';
export type { CallTask } from './tasks/call.ts';
export type { DoTask } from './tasks/do.ts';
export type { EmitTask } from './tasks/emit.ts';
export type { ForTask } from './tasks/for.ts';
export type { ForkTask } from './tasks/fork.ts';
export type { ListenTask } from './tasks/listen.ts';
export type { RaiseTask } from './tasks/raise.ts';
export type { RunTask } from './tasks/run.ts';
export type { SetTask } from './tasks/set.ts';
export type { SwitchTask } from './tasks/switch.ts';
export type { TryTask } from './tasks/try.ts';
export type { WaitTask } from './tasks/wait.ts';
export type { EdgeKind, GraphEdge, GraphNode, WorkflowGraph } from './graph.ts';
export type { DocumentContext as DocumentSurroundings, McpTransport } from './check-context.ts';
export { descriptorOf, type TaskKind, taskKindOf } from './task-kind.ts';
