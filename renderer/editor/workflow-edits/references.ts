// What refers to steps of a document: by name beside them, by pointer, and by the name of a function.
import type { JsonObject } from '../../../shared/json.ts';
import { pointerTo } from '../../../shared/json-pointer.ts';
import { membersAt, type Path, type PlacedStep, valueAt } from './steps.ts';

/** A text of the document that names a step. */
export interface Reference {
  path: Path;
  text: string;
  /** The text is the last name of the path, not the value there. */
  isKey?: true;
}

/** Where a step may continue: its own `then`, those of its cases and that of its catch. */
export function directivesOf(document: JsonObject, { path, task }: PlacedStep): Reference[] {
  const cases = valueAt(task, ['switch']);
  const paths: Path[] = [['then'], ['catch', 'then']];
  for (const index of Array.isArray(cases) ? cases.keys() : []) {
    const at = ['switch', String(index)];
    paths.push(...membersAt(task, at).map(([name]) => [...at, name, 'then']));
  }
  return paths.flatMap((at) => textAt(document, [...path, ...at]));
}

/** The calls of functions of the document, by any step. */
export function callsOf(document: JsonObject, steps: readonly PlacedStep[]): Reference[] {
  return steps.flatMap(({ path }) => textAt(document, [...path, 'call']));
}

/** Texts that may be pointers of steps: results in examples, and where an error is raised. */
function pointersIn(document: JsonObject, steps: readonly PlacedStep[]): Reference[] {
  const examples = ['document', 'metadata', 'examples'];
  const list = valueAt(document, examples);
  const keys = (Array.isArray(list) ? [...list.keys()] : []).flatMap((index) =>
    ['calls', 'failures', 'sequences'].flatMap((member) => {
      const at = [...examples, String(index), member];
      return membersAt(document, at).map(([text]): Reference => ({ path: [...at, text], text, isKey: true }));
    }),
  );
  const errors = [
    ...steps.flatMap(({ path }) => [
      [...path, 'catch', 'errors', 'with'],
      [...path, 'raise', 'error'],
    ]),
    ...membersAt(document, ['use', 'errors']).map(([name]) => ['use', 'errors', name]),
  ];
  return [...keys, ...errors.flatMap((at) => textAt(document, [...at, 'instance']))];
}

function textAt(document: JsonObject, path: Path): Reference[] {
  const text = valueAt(document, path);
  return typeof text === 'string' ? [{ path, text }] : [];
}

/** A reference with another text. */
export interface Redirection extends Reference {
  becomes: string;
}

/**
 * The pointers that change because steps do.
 * @param relocate the new path of a value; undefined if it no longer exists
 */
export function movedPointers(
  document: JsonObject,
  steps: readonly PlacedStep[],
  relocate: (path: Path) => Path | undefined,
): Redirection[] {
  const byPointer = new Map(steps.map(({ path }) => [pointerTo(path), path]));
  return pointersIn(document, steps).flatMap((reference) => {
    const path = byPointer.get(reference.text);
    const moved = path === undefined ? undefined : relocate(path);
    const becomes = moved === undefined ? reference.text : pointerTo(moved);
    return becomes === reference.text ? [] : [{ ...reference, becomes }];
  });
}
