// JSON with comments and trailing commas, as editors write it. Undefined for a text with an error, for one that is
// nested too deeply, and for an object that has a name twice, of which one value would be lost.
import { getNodeValue, type Node, parseTree } from 'jsonc-parser';
import type { Json } from '../../../../shared/json.ts';

export function readJsonTree(text: string): Node | undefined {
  const errors: unknown[] = [];
  try {
    const root = parseTree(text, errors as never[], { allowTrailingComma: true });
    return errors.length === 0 ? root : undefined;
  } catch (error) {
    // The parser recurses.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

export function readJson(text: string): Json | undefined {
  const root = readJsonTree(text);
  return root === undefined || hasNameTwice(root) ? undefined : (getNodeValue(root) as Json);
}

function hasNameTwice(root: Node): boolean {
  const open = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const children = next.children ?? [];
    if (next.type === 'object') {
      const names = children.map(({ children: [key] = [] }) => String(key?.value));
      if (new Set(names).size < names.length) return true;
    }
    for (const child of children) open.push(child);
  }
  return false;
}
