// The search params of the studio's addresses: filters, tabs and what is open on a page.
import { useNavigate } from '@tanstack/react-router';
import { type DefinitionType, isDefinitionType } from '../../shared/definition-types.ts';

/** The search params as they stand in an address, before they are checked. */
export type RawSearch = Readonly<Record<string, unknown>>;

/** A text, or undefined if it is absent or empty. The router reads `?name=7` as a number. */
export const textParam = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

export const enumParam = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((known) => known === value);

export const typeParam = (value: unknown): DefinitionType | undefined =>
  typeof value === 'string' && isDefinitionType(value) ? value : undefined;

/** A number above 0: a line or a version. */
export const countParam = (value: unknown): number | undefined => (Number(value) > 0 ? Number(value) : undefined);

export const flagParam = (value: unknown): true | undefined => (value === true ? true : undefined);

/** Leaves out the params that are undefined, so that they do not appear in the address. */
export function withoutUndefined<Params extends object>(
  params: Params,
): Partial<{ [Name in keyof Params]: NonNullable<Params[Name]> }> {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as never;
}

export type SearchChanges<Search> = { [Name in keyof Search]?: Search[Name] | undefined };

/** The search params after a change. A param that is changed to undefined is removed from the address. */
export function changeSearch<Search extends object>(search: Search, changes: SearchChanges<Search>): Search {
  return withoutUndefined({ ...search, ...changes }) as Search;
}

/** Changes the search params of the open page, in place of its entry in the history. */
export function useChangeSearch<Search extends object>(search: Search): (changes: SearchChanges<Search>) => void {
  const navigate = useNavigate();
  return (changes) => void navigate({ to: '.', search: changeSearch(search, changes) as never, replace: true });
}
