/** Whether a value has at most so many members, items and scalars, and nests at most so deep. It does not recurse. */
export function isWithin(value: unknown, mostNodes: number, mostDepth: number): boolean {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    count += 1;
    if (count + waiting.length > mostNodes || next.depth > mostDepth) return false;
    if (typeof next.value !== 'object' || next.value === null) continue;
    for (const child of Object.values(next.value)) waiting.push({ value: child, depth: next.depth + 1 });
  }
  return true;
}
