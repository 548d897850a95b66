// The Serverless Workflow DSL 1.0.3, as types of a document that was checked. Names are the standard's.
// https://github.com/open-workflow-specification/specification, schema/workflow.yaml
import type { Json, JsonObject } from '../../../../shared/json.ts';
import type { Duration } from '../../../lib/duration.ts';
import type { Example } from '../../checked.ts';

export interface WorkflowDocument {
  document: DocumentHead;
  input?: InputRule;
  use?: Use;
  do: TaskList;
  timeout?: Timeout | string;
  output?: WorkflowOutput;
  schedule?: Schedule;
  evaluate?: { language?: string; mode?: 'strict' | 'loose' };
}

export interface DocumentHead {
  dsl: string;
  namespace: string;
  name: string;
  version: string;
  title?: string;
  summary?: string;
  tags?: JsonObject;
  metadata?: JsonObject;
}

export interface Use {
  authentications?: Readonly<Record<string, JsonObject>>;
  errors?: Readonly<Record<string, ErrorDefinition>>;
  extensions?: readonly Readonly<Record<string, Extension>>[];
  functions?: Readonly<Record<string, Task>>;
  retries?: Readonly<Record<string, RetryPolicy>>;
  secrets?: readonly string[];
  timeouts?: Readonly<Record<string, Timeout>>;
}

export interface Extension {
  extend: string;
  when?: string;
  before?: TaskList;
  after?: TaskList;
}

/** Named steps, in their order; each item has one member. */
export type TaskList = readonly Readonly<Record<string, Task>>[];

/** A text is an expression, anything else a template. */
export type Rule = string | JsonObject;

export interface SchemaRule {
  format?: string;
  document?: Json;
}
export interface InputRule {
  schema?: SchemaRule;
  from?: Rule;
}
export interface OutputRule {
  schema?: SchemaRule;
  as?: Rule;
}
export interface WorkflowOutput extends OutputRule {
  /** Cuebook's own: the name of an output shape. */
  shape?: string;
}
export interface Export {
  schema?: SchemaRule;
  as?: Rule;
}

/** What every task has. Each type of task says in its own file, in `tasks`, what it has beside that. */
export interface Task {
  if?: string;
  input?: InputRule;
  output?: OutputRule;
  export?: Export;
  timeout?: Timeout | string;
  then?: string;
  metadata?: JsonObject;
}

export type ReadAs = 'data' | 'envelope' | 'raw';

export interface Timeout {
  after: Duration;
}

export type ConsumptionStrategy =
  | { one: EventFilter }
  | { all: readonly EventFilter[] }
  | { any: readonly EventFilter[]; until?: string | ConsumptionStrategy };

export interface EventFilter {
  with: JsonObject;
  correlate?: Readonly<Record<string, { from: string; expect?: string }>>;
}

export interface ErrorDefinition {
  type: string;
  status: number | string;
  instance?: string;
  title?: string;
  detail?: string;
}
export type ErrorFilter = Partial<ErrorDefinition>;

export type Backoff =
  | { constant: JsonObject }
  | { linear: JsonObject }
  /** `factor` is 2 if absent. Both members are Cuebook's own. */
  | { exponential: { factor?: number; maximum?: Duration } };

export interface RetryPolicy {
  when?: string;
  exceptWhen?: string;
  delay?: Duration;
  backoff?: Backoff;
  limit?: { attempt?: { count?: number; duration?: Duration }; duration?: Duration };
  jitter?: { from: Duration; to: Duration };
}

export interface Schedule {
  every?: Duration;
  cron?: string;
  after?: Duration;
  on?: ConsumptionStrategy;
  read?: ReadAs;
  /** Cuebook's own: an IANA time zone for `cron`; UTC when absent. */
  timezone?: string;
}

/** The examples of a document that was checked. */
export function examplesOf({ document }: WorkflowDocument): readonly Example[] {
  const examples: unknown = document.metadata?.['examples'];
  return Array.isArray(examples) ? (examples as Example[]) : [];
}
