/** What stands below an entry of a list. @returns undefined where the entry is not in the list */
export function belowOf(listed: readonly string[], entry: string): string[] | undefined {
  const place = listed.indexOf(entry);
  return place === -1 ? undefined : listed.slice(place + 1);
}
