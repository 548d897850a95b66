/** Whether a value has at most so many members, items and scalars, and nests at most so deep. It does not recurse. */
export function isWithin(value: unknown, mostNodes: number, mostDepth: number): boolean {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    count += 1;
    if (next.depth > mostDepth) return false;
    if (typeof next.value !== 'object' || next.value === null) continue;
    const children: unknown[] = Array.isArray(next.value) ? next.value : Object.values(next.value);
    // Before they are put down: they may be millions.
    if (count + waiting.length + children.length > mostNodes) return false;
    for (const child of children) waiting.push({ value: child, depth: next.depth + 1 });
  }
  return true;
}
