// Filters that look at a field of each item of a list.
//
// 1. An item without the field has no value there, as in every other Liquid; a filter that finds nothing gives null.
// 2. A field may have any name. A dot is a path: `customer.name`.
import type { FilterImplOptions, Liquid } from 'liquidjs';

type FilterHandler = Extract<FilterImplOptions, (...given: never[]) => unknown>;
type Steps = Generator<unknown, unknown, unknown>;
type Given = [list: unknown, field?: unknown, ...rest: unknown[]];
type FieldFilter = (this: ThisParameterType<FilterHandler>, ...given: Given) => Steps;

const FIELD_FILTERS = ['where', 'reject', 'has', 'find', 'find_index', 'group_by'];
/** Fields that the engine reads as a path. */
const PATH = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+|\[(?:\d+|"[^"]*"|'[^']*')\])*$/u;

export function useFieldFilters(liquid: Liquid): void {
  for (const name of FIELD_FILTERS) {
    const original = filterOf(liquid, name);
    register(liquid, name, function* fieldFilter(list, field, ...rest) {
      const { context } = this;
      const { strictVariables } = context;
      // The engine looks up the fields of items as it looks up variables, so that a missing one would end the rendering.
      context.strictVariables = false;
      try {
        const given = [list, ...(field === undefined ? [] : [pathOf(field)]), ...rest];
        const result = (yield* original.apply(this, given as [unknown]) as Steps) ?? null;
        return name === 'group_by' && Array.isArray(result) ? withoutValue(result as Group[]) : result;
      } finally {
        context.strictVariables = strictVariables;
      }
    });
  }
  const fieldsOf = filterOf(liquid, 'map');
  const keepBy = (name: string, isKept: (value: unknown, seen: ReadonlySet<unknown>) => boolean): void => {
    const original = filterOf(liquid, name);
    register(liquid, name, function* byField(list, field) {
      if (field === undefined || !Array.isArray(list)) return original.call(this, list);
      const values = (yield* fieldsOf.call(this, list, field) as Steps) as unknown[];
      const seen = new Set<unknown>();
      return list.filter((_item, index) => {
        const value = values[index] ?? null;
        const isOne = isKept(value, seen);
        seen.add(value);
        return isOne;
      });
    });
  };
  keepBy('uniq', (value, seen) => !seen.has(value));
  keepBy('compact', (value) => value !== null);
}

function filterOf(liquid: Liquid, name: string): FilterHandler {
  const filter = liquid.filters[name];
  if (typeof filter !== 'function') throw new Error(`The filter ${name} is missing.`);
  return filter;
}

function register(liquid: Liquid, name: string, filter: FieldFilter): void {
  liquid.registerFilter(name, filter as FilterImplOptions);
}

/** The engine would read only the beginning of a name with a space or a sign. */
function pathOf(field: unknown): unknown {
  if (typeof field !== 'string' || PATH.test(field)) return field;
  const parts = field.includes('[') ? [field] : field.split('.');
  return parts.map((part) => `["${part.replaceAll(/["\\]/g, String.raw`\$&`)}"]`).join('');
}

interface Group {
  name?: unknown;
  items: unknown[];
}

/** One group of the items without a value. */
function withoutValue(groups: readonly Group[]): Group[] {
  const [first, ...others] = groups.filter(({ name }) => (name ?? null) === null);
  if (first === undefined) return [...groups];
  const items = [first, ...others].flatMap((group) => group.items);
  return groups.flatMap((group) => (group === first ? [{ name: null, items }] : others.includes(group) ? [] : [group]));
}
