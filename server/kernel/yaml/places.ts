import { isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';
import type { SourceIssue } from '../../../shared/issues.ts';
import { boundedPointer, tokensOf } from '../json-pointer.ts';
import type { ParsedSource } from './parse.ts';

export interface Position {
  /** From 1. */
  line: number;
  column: number;
}

/** Finds where the values of a document stand in its text. */
export interface Places {
  /**
   * Where the value at a pointer stands: a scalar where it begins, anything larger, or `key`, at its name. A place
   * that is not there is where its holder stands.
   */
  positionOf(pointer: string, at?: 'key' | 'value'): Position;
}

export function placesOf({ yaml, lines }: ParsedSource): Places {
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  return {
    positionOf(pointer, at = 'value') {
      let node: unknown = yaml.contents;
      let offset = startOf(node) ?? 0;
      for (const token of tokensOf(pointer)) {
        const target = isAlias(node) ? node.resolve(yaml) : node;
        const pair = isMap(target) ? target.items.find(({ key }) => nameOf(key) === token) : undefined;
        const child = pair === undefined ? itemOf(target, token) : pair.value;
        if (pair === undefined && child === undefined) break;
        const own = startOf(child);
        const name = pair === undefined ? undefined : startOf(pair.key);
        const isWhole = own !== undefined && (name === undefined || isScalar(child) || isAlias(child));
        offset = (isWhole && (at === 'value' || name === undefined) ? own : name) ?? own ?? offset;
        node = child;
      }
      return positionAt(offset);
    },
  };
}

/** The name of a key as the document's value has it. */
export function nameOf(key: unknown): string {
  return isScalar(key) ? String(key.value ?? '') : '';
}

function itemOf(node: unknown, token: string): unknown {
  return isSeq(node) ? node.items[Number(token)] : undefined;
}

/** Where a node begins. A value that is left out has no text of its own. */
function startOf(node: unknown): number | undefined {
  const range = (node as Node | null | undefined)?.range;
  return range === undefined || range === null || range[0] === range[1] ? undefined : range[0];
}

/** An issue of the source, at a pointer into its document. */
export function sourceIssue(places: Places, pointer: string, detail: string, at?: 'key' | 'value'): SourceIssue {
  return { pointer: boundedPointer(`/source${pointer}`), ...places.positionOf(pointer, at), detail };
}
