import type { Issue } from '../../../shared/issues.ts';
import { IN_PLACE } from './keywords.ts';
import { childrenOf, type SchemaLocation } from './subschemas.ts';

/** The pointer that a reference into the schema itself names; undefined when it names something else. */
export function targetOf(reference: unknown): string | undefined {
  if (reference === '#') return '';
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
}

/** References that lead nowhere, or round in a circle on one and the same value. */
export function referenceIssues(locations: ReadonlyMap<string, SchemaLocation>): Issue[] {
  const issues: Issue[] = [];
  for (const { pointer, schema } of locations.values()) {
    if (typeof schema === 'boolean' || !Object.hasOwn(schema, '$ref')) continue;
    const target = targetOf(schema['$ref']);
    if (target === undefined) {
      issues.push({
        pointer: `${pointer}/$ref`,
        detail: 'A `$ref` may only point into the schema itself; write it as #/$defs/NAME.',
      });
    } else if (!locations.has(target)) {
      issues.push({
        pointer: `${pointer}/$ref`,
        detail: 'The `$ref` points to a place where no schema stands; put the schema there, or point to another.',
      });
    }
  }
  return issues.length > 0 ? issues : circleIssues(locations);
}

function circleIssues(locations: ReadonlyMap<string, SchemaLocation>): Issue[] {
  const issues: Issue[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (pointer: string): void => {
    const location = locations.get(pointer);
    if (location === undefined) return;
    state.set(pointer, 'open');
    const { schema } = location;
    const target = typeof schema === 'boolean' ? undefined : targetOf(schema['$ref']);
    const inPlace = childrenOf(location).filter(({ keyword }) => IN_PLACE.has(keyword));
    for (const next of [...inPlace.map((child) => child.pointer), ...(target === undefined ? [] : [target])]) {
      if (state.get(next) === undefined) visit(next);
      else if (state.get(next) === 'open') {
        issues.push({
          pointer: next === target ? `${pointer}/$ref` : next,
          detail: 'The `$ref` leads back to itself without looking at a part of the value; it would never end.',
        });
      }
    }
    state.set(pointer, 'done');
  };
  // At most as deep as there are schemas.
  for (const pointer of locations.keys()) if (state.get(pointer) === undefined) visit(pointer);
  return issues;
}
