import { isMap, isPair, isSeq, type Node } from 'yaml';
import { nameOf } from './positions.ts';

/** Where keys stand that their object has already; in no order. The parser's own check takes quadratic time. */
export function duplicateKeyOffsets(root: unknown): number[] {
  const offsets: number[] = [];
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (isPair(node)) waiting.push(node.value);
    else if (isSeq(node)) waiting.push(...node.items);
    else if (isMap(node)) {
      const names = new Set<string>();
      for (const pair of node.items) {
        const name = nameOf(pair.key);
        if (names.has(name)) offsets.push((pair.key as Node).range?.[0] ?? 0);
        names.add(name);
        waiting.push(pair.value);
      }
    }
  }
  return offsets;
}
