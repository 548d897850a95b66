export type Changes<Search> = { [Name in keyof Search]?: Search[Name] | undefined };

/** What stands in the address after a change; what is undefined does not stand in it. */
export function changeSearch<Search extends object>(search: Search, changes: Changes<Search>): Search {
  const members = Object.entries({ ...search, ...changes }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members) as Search;
}
