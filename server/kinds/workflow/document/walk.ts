// A document as the checks and the drawing walk through it: every step, and the list that it stands in.
import { escapeToken } from '../../../lib/json-pointer.ts';
import type { Extension, Task, TaskList, WorkflowDocument } from './dsl.ts';
import { descriptorOf, type TaskKind, taskKindOf } from './task-kind.ts';
import type { ChildList, Directive, TaskDescriptor } from './tasks/descriptor.ts';

/** Steps that stand beside each other. `single`: a function, which is one step alone. */
export interface WalkedScope {
  kind: 'list' | 'branches' | 'single';
  pointer: string;
  steps: readonly WalkedStep[];
  /** The first step of each name. */
  byName: ReadonlyMap<string, WalkedStep>;
}

export interface WalkedStep {
  name: string;
  task: Task;
  kind: TaskKind;
  descriptor: TaskDescriptor;
  pointer: string;
  scope: WalkedScope;
  /** Its index in its scope, from 0. */
  index: number;
  bodies: readonly WalkedBody[];
  /** Names of variables that loops and catches around it define, the innermost last. */
  variables: readonly string[];
}

/** Steps under a step. */
export interface WalkedBody {
  role: ChildList['role'];
  scope: WalkedScope;
}

export interface WalkedExtension {
  name: string;
  pointer: string;
  extension: Extension;
  before?: WalkedScope;
  after?: WalkedScope;
}

export interface Walk {
  document: WorkflowDocument;
  root: WalkedScope;
  functions: ReadonlyMap<string, WalkedScope>;
  extensions: readonly WalkedExtension[];
  /** All of them, in the order of the document: steps, then functions and extensions. */
  scopes: readonly WalkedScope[];
  steps: readonly WalkedStep[];
}

export function walk(document: WorkflowDocument): Walk {
  const scopes: WalkedScope[] = [];
  const steps: WalkedStep[] = [];

  function scopeOf(
    kind: WalkedScope['kind'],
    pointer: string,
    tasks: readonly (readonly [name: string, task: Task, pointer: string])[],
    variables: readonly string[],
  ): WalkedScope {
    const own: WalkedStep[] = [];
    const byName = new Map<string, WalkedStep>();
    const scope: WalkedScope = { kind, pointer, steps: own, byName };
    scopes.push(scope);
    for (const [index, [name, task, at]] of tasks.entries()) {
      const kind = taskKindOf(task);
      const descriptor = descriptorOf(kind);
      const step: WalkedStep = { name, task, kind, descriptor, pointer: at, scope, index, bodies: [], variables };
      own.push(step);
      if (!byName.has(name)) byName.set(name, step);
      steps.push(step);
      step.bodies = bodiesOf(step);
    }
    return scope;
  }

  function listOf(
    tasks: TaskList,
    pointer: string,
    variables: readonly string[],
    kind: WalkedScope['kind'] = 'list',
  ): WalkedScope {
    const named = tasks.flatMap((item, index) =>
      Object.entries(item).map(([name, task]) => [name, task, `${pointer}/${index}/${escapeToken(name)}`] as const),
    );
    return scopeOf(kind, pointer, named, variables);
  }

  function bodiesOf({ descriptor, task, pointer, variables }: WalkedStep): WalkedBody[] {
    const lists = descriptor.lists?.(task) ?? [];
    return lists.map(({ role, at, tasks, variables: own = [] }) => ({
      role,
      scope: listOf(tasks, `${pointer}${at}`, [...variables, ...own], role === 'branches' ? 'branches' : 'list'),
    }));
  }

  const root = listOf(document.do, '/do', []);
  const functions = new Map<string, WalkedScope>();
  for (const [name, task] of Object.entries(document.use?.functions ?? {})) {
    const pointer = `/use/functions/${escapeToken(name)}`;
    functions.set(name, scopeOf('single', pointer, [[name, task, pointer]], []));
  }
  const extensions = (document.use?.extensions ?? []).flatMap((item, index) =>
    Object.entries(item).map(([name, extension]): WalkedExtension => {
      const pointer = `/use/extensions/${index}/${escapeToken(name)}`;
      const { before, after } = extension;
      return {
        name,
        pointer,
        extension,
        ...(before === undefined ? {} : { before: listOf(before, `${pointer}/before`, []) }),
        ...(after === undefined ? {} : { after: listOf(after, `${pointer}/after`, []) }),
      };
    }),
  );
  return { document, root, functions, extensions, scopes, steps };
}

/** Where a step may continue: by its own `then`, and by what its type of task has. */
export function directivesOf({ task, pointer, descriptor }: WalkedStep): Directive[] {
  return [
    ...(task.then === undefined ? [] : [{ pointer: `${pointer}/then`, then: task.then, of: 'task' } as const]),
    ...(descriptor.directives?.({ task, pointer }) ?? []),
  ];
}
