// The steps of a document, by their paths in it.
import { WORKFLOW_TASKS } from '../../../shared/api/descriptions.generated.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { pointerTo, tokensOf } from '../../../shared/json-pointer.ts';

/** The names and indexes that lead to a value of the document. */
export type Path = readonly string[];

export interface PlacedStep {
  path: Path;
  name: string;
  task: Json;
  /** The list that it stands in, or `use.functions`. */
  holder: Path;
  /** `list`: a `then` can name a step beside it. */
  kind: 'list' | 'branches' | 'function';
}

/** Where a task has steps under it. */
const LISTS = Object.values(WORKFLOW_TASKS)
  .flatMap(({ lists = [] }) => lists)
  .filter(({ at }, index, all) => all.findIndex((other) => other.at === at) === index)
  .map(({ at, isBranches = false }) => ({ path: tokensOf(at), kind: isBranches ? 'branches' : 'list' }) as const);

/** The directives that every list understands: no step can be named by them. */
export const DIRECTIVES: readonly string[] = ['continue', 'exit', 'end'];

/** The value at a path; undefined where there is none. */
export function valueAt(data: Json | undefined, path: Path): Json | undefined {
  let value = data;
  for (const token of path) {
    if (Array.isArray(value)) value = value[Number(token)];
    else if (isJsonObject(value) && Object.hasOwn(value, token)) value = value[token];
    else return undefined;
  }
  return value;
}

/** All steps of a document, with those that are not drawn. Items that are no steps are left out. */
export function stepsOf(document: JsonObject): PlacedStep[] {
  const steps: PlacedStep[] = [];

  function add(step: PlacedStep): void {
    steps.push(step);
    for (const list of LISTS) addList([...step.path, ...list.path], list.kind);
  }

  function addList(holder: Path, kind: 'list' | 'branches'): void {
    const list = valueAt(document, holder);
    if (!Array.isArray(list)) return;
    for (const [index, item] of list.entries()) {
      const [entry, ...more] = isJsonObject(item) ? Object.entries(item) : [];
      if (entry === undefined || more.length > 0) continue;
      const [name, task] = entry;
      add({ path: [...holder, String(index), name], name, task, holder, kind });
    }
  }

  addList(['do'], 'list');
  const functions = ['use', 'functions'];
  for (const [name, task] of membersAt(document, functions)) {
    add({ path: [...functions, name], name, task, holder: functions, kind: 'function' });
  }
  const extensions = valueAt(document, ['use', 'extensions']);
  for (const index of Array.isArray(extensions) ? extensions.keys() : []) {
    const at = ['use', 'extensions', String(index)];
    for (const [name] of membersAt(document, at)) {
      addList([...at, name, 'before'], 'list');
      addList([...at, name, 'after'], 'list');
    }
  }
  return steps;
}

/** A list without steps. */
export interface EmptyList {
  path: Path;
  /** The step that it is under; absent: it is the list of the workflow. */
  step?: Path;
}

/**
 * The lists without steps: empty ones, ones that are named but not written (`do:`), and those that a `catch` or `foreach` may
 * have.
 */
export function emptyListsOf(document: JsonObject): EmptyList[] {
  const lists: EmptyList[] = [
    { path: ['do'] },
    ...stepsOf(document).flatMap(({ path }) => LISTS.map((list) => ({ path: [...path, ...list.path], step: path }))),
  ];
  return lists.filter(({ path }) => {
    const list = valueAt(document, path);
    if (list !== undefined) return list === null || (Array.isArray(list) && list.length === 0);
    const holder = path.slice(0, -1);
    return ['catch', 'foreach'].includes(holder.at(-1) ?? '') && isJsonObject(valueAt(document, holder));
  });
}

/** The members of the object at a path; none where there is no object. */
export function membersAt(data: Json, path: Path): [name: string, value: Json][] {
  const value = valueAt(data, path);
  return isJsonObject(value) ? Object.entries(value) : [];
}

export function isWithin(path: Path, holder: Path): boolean {
  return path.length >= holder.length && holder.every((token, depth) => token === path[depth]);
}

export function isSamePath(one: Path, other: Path): boolean {
  return pointerTo(one) === pointerTo(other);
}
