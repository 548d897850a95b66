// What the language, its checks, the graph and the overview ask of a type of task. Every type answers in one file of this
// folder; the engine's part stands beside it in `engine/tasks`, and both in the table of `task-types.ts`.
//
// Pointers are into the document. What a type does not have it leaves out.
import type { DefinitionType } from '../../../../../shared/definition-types.ts';
import type { TaskEditing } from '../../../../../shared/workflow-tasks.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import type { RetryPolicy, SchemaRule, Task, TaskList, WorkflowDocument } from '../dsl.ts';
import type { DataFlow, Guess } from '../data/known.ts';
import type { EvaluatedText } from '../expressions/evaluated-text.ts';
import type { PlacedFilter } from '../expressions/event-texts.ts';
import type { OpenMember, PlacedDuration, PlacedPolicy, SecretHolder } from '../placed.ts';
import type { Schema, TaskForm } from '../schema/build.ts';
import type { DocumentContext } from '../check-context.ts';

export interface PlacedTask<T extends Task> {
  task: T;
  pointer: string;
}

export interface TaskDescriptor<T extends Task = Task> {
  /** The JSON Schema of such a task. */
  form(members: TaskForm): Schema;
  /** How the studio edits such a step. */
  editing: TaskEditing;
  /** What it does, in a few words of Markdown that continue a line. */
  words(task: T): string;
  /** `extend: composite` of an extension means it; its own keyword does not stand there. */
  isComposite?: boolean;

  /** The steps under it, in the order in which they are checked and drawn. */
  lists?(task: T): readonly ChildList[];
  /** Where its author lets it continue, beside its own `then`. */
  directives?(placed: PlacedTask<T>): Directive[];
  /** It raises an error whatever happens: no step follows it. */
  alwaysFails?: boolean;
  /** How it can be over, by how each of its lists can; absent: as its first list, or by completing. */
  outcome?(task: T, lists: readonly ListOutcome[]): FlowOutcome;
  /** The directives that it follows when it is done; absent: its own `then`, where it can complete. */
  continuations?(task: T, lists: readonly ListOutcome[]): readonly (string | undefined)[];

  /** The definition or the tool, SERVER/TOOL, that it calls, where the document says so. */
  reaches?(task: T): Reached;
  /** The name that may be a function of the document. */
  functionName?(task: T): string;
  /** Warns about what it reaches for and the playbook does not have now. */
  checkReach?(placed: PlacedTask<T>, context: DocumentContext, findings: Findings): void;
  /** Refuses the name of what it calls where no such thing can be there. */
  checkCalled?(placed: PlacedTask<T>, document: WorkflowDocument, findings: Findings): void;
  /** Its output before `output.as`, as far as it is known before a run; absent or undefined: it may be anything. */
  data?(placed: PlacedTask<T>, flow: DataFlow): Guess;
  /** It may replace the context, besides by its own `export`. */
  exports?(task: T): boolean;
  /** The type of the event that it emits, as it is written, and where. */
  emits?(placed: PlacedTask<T>): { type: unknown; pointer: string };
  /** Entries of `use` that it names. */
  entries?(placed: PlacedTask<T>): readonly NamedEntry[];

  /** Variables that it defines for the steps and expressions under it. */
  variables?(placed: PlacedTask<T>): DefinedVariables;
  /** Rules that no other member covers. */
  check?(placed: PlacedTask<T>, findings: Findings): void;
  /** Texts that are evaluated or may be, without those that every task has. */
  texts?(placed: PlacedTask<T>, variables: TextVariables): EvaluatedText[];
  durations?(placed: PlacedTask<T>): PlacedDuration[];
  retry?(placed: PlacedTask<T>): PlacedRetry | undefined;
  schemas?(placed: PlacedTask<T>): readonly PlacedSchema[];
  /** The event filters whose attributes are checked. */
  filters?(placed: PlacedTask<T>): PlacedFilter[];
  openMembers?(placed: PlacedTask<T>): readonly OpenMember[];
  policies?(placed: PlacedTask<T>): PlacedPolicy[];
  /** Objects of named values, some of whose names stand for secrets. */
  secretHolders?(placed: PlacedTask<T>): SecretHolder[];
}

export interface ChildList {
  /** `body`: steps in order; `branches`: runs its branches in parallel; `handler`: steps for an error of the body. */
  role: 'body' | 'branches' | 'handler';
  /** The pointer of the list, below the task's. */
  at: string;
  tasks: TaskList;
  /** The first step's input is the input of the task, each time the list runs. */
  startsWithInput?: boolean;
  /** Names of variables that its steps see. */
  variables?: readonly string[];
  /** A loop over the result of an expression: the variable that holds each item. `at` is below the task's pointer. */
  loop?: { item: string; in: string; at: string };
}

/** Where a step may continue, as its author wrote it. */
export interface Directive {
  pointer: string;
  then: string;
  /** The step's own `then`, one of a switch's cases, or the one of a catch. */
  of: 'task' | 'case' | 'catch';
  /** Name of the case. */
  label?: string;
  isDefault?: boolean;
}

/** How a list of steps can end, and how each of its steps can by itself. */
export interface ListOutcome extends FlowOutcome {
  steps: () => readonly FlowOutcome[];
}

export interface Reached {
  definition?: { type: DefinitionType; name: string };
  tool?: string;
}

export interface NamedEntry {
  of: 'errors' | 'retries';
  pointer: string;
  /** Anything but a text is no name. */
  name: unknown;
}

export interface DefinedVariables {
  /** Names as the author wrote them; undefined: none is written. */
  named: readonly (readonly [pointer: string, name: string | undefined])[];
  /** An item and its index, which cannot have one name. */
  loop?: { pointer: string; names: readonly [item: string, at: string] };
}

export interface TextVariables {
  /** What the task's own expressions see, loops and catches around it included. */
  own: readonly string[];
  /** The part of it that loops and catches around the task define. */
  around: readonly string[];
}

export interface PlacedRetry {
  /** A policy, or the name of one. */
  retry: string | RetryPolicy;
  pointer: string;
  /** The variable that holds the error. */
  variable: string;
}

export interface PlacedSchema {
  schema: SchemaRule | undefined;
  pointer: string;
}

/** The ways in which a list of steps, or one step, can be over. */
export interface FlowOutcome {
  /** What holds it continues. */
  completes: boolean;
  /** The workflow ends. */
  ends: boolean;
  /** An error is raised. */
  stops: boolean;
}

export const NONE: FlowOutcome = { completes: false, ends: false, stops: false };
export const STOPS: FlowOutcome = { completes: false, ends: false, stops: true };
export const COMPLETES: FlowOutcome = { completes: true, ends: false, stops: false };
