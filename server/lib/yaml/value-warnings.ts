// What a document contains that YAML, as it is read here, takes otherwise than authors of other tools expect.
import { isMap, isPair, isScalar, isSeq } from 'yaml';
import { escapeToken } from '../json-pointer.ts';
import type { ParsedSource } from './parse.ts';
import { nameOf } from './positions.ts';

/** A warning about the value, or the name, at a pointer into the document. */
export interface ValueWarning {
  pointer: string;
  detail: string;
  at: 'key' | 'value';
}

const MOST_WARNINGS = 20;
const INTEGER = /^[-+]?(?:\d+|0x[\da-f]+|0o[0-7]+)$/i;

export const MERGE_KEY =
  '`<<` merges nothing, because YAML 1.2 has no merge keys: it is a field of that name; write the fields out.';

/** At most 20 warnings, in no order. What an alias stands for is looked at where its anchor is. */
export function valueWarnings({ yaml }: ParsedSource): ValueWarning[] {
  const warnings: ValueWarning[] = [];
  const waiting: { node: unknown; pointer: string }[] = [{ node: yaml.contents, pointer: '' }];
  while (waiting.length > 0 && warnings.length < MOST_WARNINGS) {
    const { node, pointer } = waiting.pop() ?? {};
    if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) waiting.push({ node: item, pointer: `${pointer}/${index}` });
    } else if (isMap(node)) {
      for (const pair of node.items) {
        const at = `${pointer}/${escapeToken(nameOf(pair.key))}`;
        if (isMergeKey(pair.key)) warnings.push({ pointer: at, detail: MERGE_KEY, at: 'key' });
        waiting.push({ node: pair.value, pointer: at });
      }
    } else if (isPair(node)) {
      waiting.push({ node: node.value, pointer: `${pointer}/${escapeToken(nameOf(node.key))}` });
    } else if (isScalar(node) && isInexact(node.value, node.source)) {
      const detail = `${String(node.source).slice(0, 40)} is larger than the integers that JSON keeps exactly, and is read as ${String(node.value)}; put it in quotes if it is an id.`;
      warnings.push({ pointer: pointer ?? '', detail, at: 'value' });
    }
  }
  return warnings;
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}

/** Whether it is an integer of more than 53 bits. */
function isInexact(value: unknown, source: string | undefined): boolean {
  return typeof value === 'number' && !Number.isSafeInteger(value) && INTEGER.test(source ?? '');
}
