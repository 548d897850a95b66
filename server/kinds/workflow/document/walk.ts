// A document as the checks and the drawing walk through it: every step, and the list that it stands in.
import { escapeToken } from '../../../lib/json-pointer.ts';
import type { Extension, Task, TaskList, WorkflowDocument } from './dsl.ts';
import { type TaskKind, taskKindOf } from './task-kind.ts';

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
  pointer: string;
  scope: WalkedScope;
  /** Its place in its scope, from 0. */
  place: number;
  bodies: readonly Body[];
  /** Names of variables that loops and catches around it define, the innermost last. */
  variables: readonly string[];
}

/** Steps under a step. */
export interface Body {
  role: 'do' | 'branches' | 'try' | 'catch' | 'foreach';
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
    for (const [place, [name, task, at]] of tasks.entries()) {
      const step = { name, task, kind: taskKindOf(task), pointer: at, scope, place, bodies: [] as Body[], variables };
      own.push(step);
      if (!byName.has(name)) byName.set(name, step);
      steps.push(step);
      step.bodies = bodiesOf(task, at, variables);
    }
    return scope;
  }

  function listOf(
    tasks: TaskList,
    pointer: string,
    variables: readonly string[],
    kind: WalkedScope['kind'] = 'list',
  ): WalkedScope {
    const named = tasks.flatMap((item, place) =>
      Object.entries(item).map(([name, task]) => [name, task, `${pointer}/${place}/${escapeToken(name)}`] as const),
    );
    return scopeOf(kind, pointer, named, variables);
  }

  function bodiesOf(task: Task, pointer: string, variables: readonly string[]): Body[] {
    if ('for' in task) {
      const inner = [...variables, ...loopVariables(task.for.each, task.for.at)];
      return [{ role: 'do', scope: listOf(task.do, `${pointer}/do`, inner) }];
    }
    if ('do' in task) return [{ role: 'do', scope: listOf(task.do, `${pointer}/do`, variables) }];
    if ('fork' in task) {
      const { branches } = task.fork;
      return [{ role: 'branches', scope: listOf(branches, `${pointer}/fork/branches`, variables, 'branches') }];
    }
    if ('try' in task) {
      const tried: Body = { role: 'try', scope: listOf(task.try, `${pointer}/try`, variables) };
      if (task.catch.do === undefined) return [tried];
      const inner = [...variables, task.catch.as ?? 'error'];
      return [tried, { role: 'catch', scope: listOf(task.catch.do, `${pointer}/catch/do`, inner) }];
    }
    if ('listen' in task && task.foreach?.do !== undefined) {
      const inner = [...variables, ...loopVariables(task.foreach.item, task.foreach.at)];
      return [{ role: 'foreach', scope: listOf(task.foreach.do, `${pointer}/foreach/do`, inner) }];
    }
    return [];
  }

  const root = listOf(document.do, '/do', []);
  const functions = new Map<string, WalkedScope>();
  for (const [name, task] of Object.entries(document.use?.functions ?? {})) {
    const pointer = `/use/functions/${escapeToken(name)}`;
    functions.set(name, scopeOf('single', pointer, [[name, task, pointer]], []));
  }
  const extensions = (document.use?.extensions ?? []).flatMap((item, place) =>
    Object.entries(item).map(([name, extension]): WalkedExtension => {
      const pointer = `/use/extensions/${place}/${escapeToken(name)}`;
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

/** The variables of a loop, as they are called where the author named none. */
export function loopVariables(each: string | undefined, at: string | undefined): [string, string] {
  return [each ?? 'item', at ?? 'index'];
}
