import { isMap, isPair, isScalar, isSeq, parseDocument, visit } from 'yaml';
import { secretsIn } from './secrets-in-text.ts';

/** Members whose own members have any name. */
const HOLDERS = ['env', 'headers', 'query_params'];

/**
 * The text of a configuration file with `***` for the secrets that are written in it without `${...}`. Everything else,
 * comments and spaces included, stays as it is.
 */
export function shownConfig(text: string): string {
  const hidden: [start: number, end: number][] = [];
  visit(parseDocument(text), {
    Scalar(key, node, path) {
      if (key === 'key' || typeof node.value !== 'string' || node.value.includes('${') || node.range == null) return;
      const names = path.flatMap((one) => (isPair(one) && isScalar(one.key) ? [String(one.key.value)] : []));
      if (isHidden(node.value, names, beforeIn(path.at(-1), key))) hidden.push([node.range[0], node.range[1]]);
    },
  });
  return hidden
    .toSorted(([a], [b]) => b - a)
    .reduce((shown, [start, end]) => `${shown.slice(0, start)}***${shown.slice(end)}`, text);
}

function isHidden(value: string, names: readonly string[], before: string | undefined): boolean {
  const [name = '', holder = ''] = names.toReversed();
  if (name === 'api_key' || names[0] === 'api_keys') return true;
  return secretsIn(value, HOLDERS.includes(holder) ? { name } : { before }).length > 0;
}

/** The item of a list before one. */
function beforeIn(holder: unknown, key: unknown): string | undefined {
  if (isMap(holder) || !isSeq(holder) || typeof key !== 'number') return undefined;
  const item = holder.items[key - 1];
  return isScalar(item) ? String(item.value) : undefined;
}
