/**
 * The name that the word is most likely a misspelling of. At most a third of its letters may differ; in names of one or
 * two letters, none.
 */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  const misspelt = word.slice(0, MOST_COMPARED).toLowerCase();
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const known = name.slice(0, MOST_COMPARED).toLowerCase();
    const most = known.length < 3 ? 0 : Math.floor(known.length / 3);
    if (Math.abs(known.length - misspelt.length) > Math.min(most, least)) continue;
    const distance = editDistance(misspelt, known);
    if (distance < least && distance <= most) [best, least] = [name, distance];
  }
  return best;
}

/** The first letters of a name, which are compared. */
const MOST_COMPARED = 64;

/** Letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let distance = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(distance);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
