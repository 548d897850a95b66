// What an edit does to a document as data. The text follows the plan, and is then compared with it.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { pointerTo, tokensOf } from '../../../shared/json-pointer.ts';
import { differencesOf } from '../../../shared/json-differences.ts';
import type { StepEdit } from './edits.ts';
import { callsOf, directivesOf, movedPointers, type Redirection } from './references.ts';
import { RefusedEdit } from './refused-edit.ts';
import { DIRECTIVES, isSamePath, isWithin, type Path, type PlacedStep, stepsOf, valueAt } from './steps.ts';

/** Paths are into the document before the edit. */
export interface Plan {
  redirections: readonly Redirection[];
  /** The item that is removed. */
  take?: { list: Path; at: number };
  /** What is added before the item that has the index now, or at the end. */
  put?: { list: Path; at: number; item: PutItem };
  /** The new value of a path; undefined removes it. Missing holders are created. */
  set?: { path: Path; value: Json | undefined };
  step?: Path;
}

export type PutItem =
  | { from: 'edit'; item: JsonObject }
  | { from: 'taken' }
  /** A copy of the item of the list, with redirections that the original does not get. */
  | { from: 'copy'; of: number; redirections: readonly Redirection[] };

/** Nothing but these is left out when it becomes empty: no task needs them. */
const LEFT_OUT_EMPTY: readonly string[] = ['input', 'output', 'export', 'metadata'];

/** YAML takes keys of at most 1,024 characters, quotes included. */
const LONGEST_NAME = 500;

/** @throws RefusedEdit */
export function planOf(document: JsonObject, edit: StepEdit): Plan {
  switch (edit.do) {
    case 'insert':
      return insertion(document, edit);
    case 'move':
      return move(document, edit);
    case 'delete':
      return deletion(document, edit.step);
    case 'rename':
      return renaming(document, edit);
    case 'set':
      return setting(document, edit);
    case 'duplicate':
      return duplication(document, edit.step);
  }
}

function insertion(document: JsonObject, edit: Extract<StepEdit, { do: 'insert' }>): Plan {
  const { at, task } = edit;
  const { path: list, items } = listAt(document, edit.list);
  checkIndex(at, items.length);
  const name = freeName(edit.name, namesIn(items));
  return {
    redirections: movedPointers(document, stepsOf(document), (path) => afterPut(path, list, at)),
    put: { list, at, item: { from: 'edit', item: { [name]: task } } },
    step: [...list, String(at), name],
  };
}

function move(document: JsonObject, edit: Extract<StepEdit, { do: 'move' }>): Plan {
  const steps = stepsOf(document);
  const step = stepAt(steps, edit.step);
  const { path: list, items } = listAt(document, edit.list);
  const taken = { list: step.holder, at: indexOf(step) };
  const isWithinList = isSamePath(list, step.holder);
  if (isWithin(list, step.path)) {
    throw new RefusedEdit(`The step \`${step.name}\` cannot move into itself; choose a list outside of it.`);
  }
  checkIndex(edit.at, isWithinList ? items.length - 1 : items.length);
  if (isWithinList && edit.at === taken.at) return { redirections: [], step: step.path };

  const name = isWithinList ? step.name : freeName(step.name, namesIn(items));
  const listAfter = afterTake(list, taken.list, taken.at) ?? list;
  const stepAfter = [...listAfter, String(edit.at), name];
  const relocate = (path: Path): Path | undefined => {
    if (isWithin(path, step.path)) return [...stepAfter, ...path.slice(step.path.length)];
    const left = afterTake(path, taken.list, taken.at);
    return left === undefined ? undefined : afterPut(left, listAfter, edit.at);
  };
  if (!isWithinList) checkLeaves(document, step);
  return {
    redirections: [
      ...(isWithinList ? [] : [...aroundLeaving(document, steps, step), ...ownNames(document, step, name)]),
      ...movedPointers(document, steps, relocate),
    ],
    take: taken,
    put: { list, at: isWithinList && edit.at > taken.at ? edit.at + 1 : edit.at, item: { from: 'taken' } },
    step: stepAfter,
  };
}

function deletion(document: JsonObject, pointer: string): Plan {
  const steps = stepsOf(document);
  const step = stepAt(steps, pointer);
  if (step.kind === 'function') {
    const caller = steps.find((other) => !isWithin(other.path, step.path) && isCallOf(document, other, step));
    if (caller !== undefined) {
      throw new RefusedEdit(
        `The step \`${caller.name}\` calls the function \`${step.name}\`; change its \`call\` first.`,
      );
    }
    return { redirections: [], set: { path: step.path, value: undefined } };
  }
  const take = { list: step.holder, at: indexOf(step) };
  return {
    redirections: [
      ...aroundLeaving(document, steps, step),
      ...movedPointers(document, steps, (path) => afterTake(path, take.list, take.at)),
    ],
    take,
  };
}

function renaming(document: JsonObject, { step: pointer, name }: Extract<StepEdit, { do: 'rename' }>): Plan {
  const steps = stepsOf(document);
  const step = stepAt(steps, pointer);
  if (name === step.name) return { redirections: [], step: step.path };
  if (name.trim() === '') throw new RefusedEdit('A step needs a name; write one.');
  if (/[\r\n]/.test(name) || name.length > LONGEST_NAME) {
    throw new RefusedEdit(`The name of a step is one line of at most ${LONGEST_NAME} characters; shorten it.`);
  }
  if (DIRECTIVES.includes(name)) {
    throw new RefusedEdit(`A \`then\` cannot go to a step named \`${name}\`; write another name.`);
  }
  if (steps.some((other) => other.name === name && isSamePath(other.holder, step.holder))) {
    const where = step.kind === 'function' ? 'function' : 'step of this list';
    throw new RefusedEdit(`Another ${where} is named \`${name}\`; write another name.`);
  }
  const renamed = [...step.path.slice(0, -1), name];
  const named =
    step.kind === 'function'
      ? callsOf(document, steps)
      : steps
          .filter((other) => isSamePath(other.holder, step.holder))
          .flatMap((other) => directivesOf(document, other));
  return {
    redirections: [
      { path: step.path, text: step.name, isKey: true, becomes: name },
      ...named.filter(({ text }) => text === step.name).map((one) => ({ ...one, becomes: name })),
      ...movedPointers(document, steps, (path) =>
        isWithin(path, step.path) ? [...renamed, ...path.slice(renamed.length)] : path,
      ),
    ],
    step: renamed,
  };
}

function setting(document: JsonObject, { step: pointer, field, value }: Extract<StepEdit, { do: 'set' }>): Plan {
  const step = stepAt(stepsOf(document), pointer);
  if (field !== '' && !field.startsWith('/')) {
    throw new RefusedEdit(`\`${field}\` is not a field; write a JSON Pointer such as \`/output/as\`.`);
  }
  const path = [...step.path];
  for (const token of tokensOf(field)) {
    const holder = valueAt(document, path) ?? {};
    if (Array.isArray(holder)) {
      const index = token === '-' ? holder.length : /^(?:0|[1-9]\d*)$/.test(token) ? Number(token) : -1;
      checkIndex(index, value === undefined ? holder.length - 1 : holder.length);
      path.push(String(index));
    } else if (isJsonObject(holder)) path.push(token);
    else {
      const at = pointerTo(path.slice(step.path.length));
      throw new RefusedEdit(`\`${at}\` of \`${step.name}\` is not an object; change it before the fields in it.`);
    }
  }
  const current = valueAt(document, path);
  const isUnchanged =
    value === undefined || current === undefined ? value === current : differencesOf(current, value, 1).length === 0;
  if (isUnchanged) return { redirections: [], step: step.path };
  if (value !== undefined) return { redirections: [], set: { path, value }, step: step.path };
  if (field === '') throw new RefusedEdit(`A step needs a task; delete the step \`${step.name}\` instead.`);
  const top = step.path.length + 1;
  while (path.length > top && LEFT_OUT_EMPTY.includes(path[top - 1] ?? '')) {
    const holder = valueAt(document, path.slice(0, -1));
    if (!isJsonObject(holder) || Object.keys(holder).length > 1) break;
    path.pop();
  }
  return { redirections: [], set: { path, value: undefined }, step: step.path };
}

function duplication(document: JsonObject, pointer: string): Plan {
  const steps = stepsOf(document);
  const step = stepAt(steps, pointer);
  const names = steps.filter((other) => isSamePath(other.holder, step.holder)).map((other) => other.name);
  const name = freeName(step.name, names);
  if (step.kind === 'function') {
    const path = [...step.holder, name];
    return { redirections: [], set: { path, value: step.task }, step: path };
  }
  const of = indexOf(step);
  const at = of + 1;
  return {
    redirections: movedPointers(document, steps, (path) => afterPut(path, step.holder, at)),
    put: { list: step.holder, at, item: { from: 'copy', of, redirections: ownNames(document, step, name) } },
    step: [...step.holder, String(at), name],
  };
}

function stepAt(steps: readonly PlacedStep[], pointer: string): PlacedStep {
  const found = steps.find(({ path }) => pointerTo(path) === pointer);
  if (found === undefined) {
    throw new RefusedEdit(`The source has no step at \`${pointer}\`; wait until the graph shows the changed source.`);
  }
  return found;
}

function listAt(document: JsonObject, pointer: string): { path: Path; items: readonly Json[] } {
  const path = tokensOf(pointer);
  const items = valueAt(document, path);
  if (!Array.isArray(items)) {
    throw new RefusedEdit(`The source has no list of steps at \`${pointer}\`; add it to the source first.`);
  }
  return { path, items };
}

function checkIndex(index: number, most: number): void {
  if (Number.isInteger(index) && index >= 0 && index <= most) return;
  throw new RefusedEdit(`There is no place ${index} in this list; choose one from 0 to ${Math.max(most, 0)}.`);
}

function indexOf({ kind, name, path }: PlacedStep): number {
  if (kind === 'function') {
    throw new RefusedEdit(`The function \`${name}\` has no place in the order of steps; add a step that calls it.`);
  }
  return Number(path.at(-2));
}

function namesIn(items: readonly Json[]): string[] {
  return items.flatMap((item) => (isJsonObject(item) ? Object.keys(item) : []));
}

/** The name, or the first number behind it that makes it one of its own: `charge-2`. */
function freeName(name: string, taken: readonly string[]): string {
  const isFree = (one: string): boolean => one.trim() !== '' && !taken.includes(one) && !DIRECTIVES.includes(one);
  if (isFree(name)) return name;
  const base = name.trim() === '' ? 'step' : name.replace(/-\d+$/, '');
  for (let number = 2; ; number += 1) {
    const numbered = `${base}-${number}`;
    if (isFree(numbered)) return numbered;
  }
}

/** The name of a step and the directives in which it names itself. */
function ownNames(document: JsonObject, step: PlacedStep, name: string): Redirection[] {
  if (name === step.name) return [];
  const own = directivesOf(document, step).filter(({ text }) => step.kind === 'list' && text === step.name);
  return [
    { path: step.path, text: step.name, isKey: true, becomes: name },
    ...own.map((one) => ({ ...one, becomes: name })),
  ];
}

/** What the steps beside a step continue with instead of it. */
function aroundLeaving(document: JsonObject, steps: readonly PlacedStep[], step: PlacedStep): Redirection[] {
  if (step.kind !== 'list') return [];
  const beside = steps.filter((other) => other !== step && isSamePath(other.holder, step.holder));
  if (beside.some(({ name }) => name === step.name)) return [];
  const naming = beside.flatMap((other) => directivesOf(document, other)).filter(({ text }) => text === step.name);
  const next = beside.find((other) => indexOf(other) > indexOf(step))?.name ?? 'exit';
  if (naming.length > 0 && next !== 'exit' && DIRECTIVES.includes(next)) {
    throw new RefusedEdit(
      `A \`then\` names \`${step.name}\`, and cannot name \`${next}\`, the step that follows; rename \`${next}\` first.`,
    );
  }
  const loop = naming.find(({ path }) => path[step.holder.length + 1] === next);
  if (loop !== undefined) {
    throw new RefusedEdit(
      `The step \`${next}\` goes back to \`${step.name}\`, and would then only repeat itself; change its \`then\` first.`,
    );
  }
  return naming.map((one) => ({ ...one, becomes: next }));
}

/** Refuses to take a step from the steps that it continues with. */
function checkLeaves(document: JsonObject, step: PlacedStep): void {
  if (step.kind !== 'list') return;
  const named = directivesOf(document, step).find(({ text }) => text !== step.name && !DIRECTIVES.includes(text));
  if (named === undefined) return;
  throw new RefusedEdit(
    `The step \`${step.name}\` continues with \`${named.text}\`, which is not in the other list; change its \`then\` first.`,
  );
}

function isCallOf(document: JsonObject, caller: PlacedStep, called: PlacedStep): boolean {
  return callsOf(document, [caller]).some(({ text }) => text === called.name);
}

/** A path after an item was removed from a list; undefined if it led into the item. */
function afterTake(path: Path, list: Path, at: number): Path | undefined {
  const index = indexIn(path, list);
  if (index === undefined || index < at) return path;
  return index === at ? undefined : path.with(list.length, String(index - 1));
}

/** A path after an item was added to a list. */
function afterPut(path: Path, list: Path, at: number): Path {
  const index = indexIn(path, list);
  return index === undefined || index < at ? path : path.with(list.length, String(index + 1));
}

function indexIn(path: Path, list: Path): number | undefined {
  return path.length > list.length && isWithin(path, list) ? Number(path[list.length]) : undefined;
}
