// Where the values of a document stand in its text.
//
// 1. The table is plain data: the worker that reads a document sends it along.
// 2. Finding a position takes time in proportion to its depth alone.
// 3. A table has an entry for each value, so a position is one number.
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
export interface SourcePositions {
  /**
   * Where the value at a pointer stands: a scalar where it begins, anything larger, or `key`, at its name. A place
   * that is not there is where its holder stands.
   */
  positionOf(pointer: string, at?: 'key' | 'value'): Position;
}

/** A value's position, with the positions of what it holds. A position is its line times `COLUMNS` plus its column. */
export interface PositionTable extends ChildPositions {
  key: number;
  value: number;
}

interface ChildPositions {
  members?: Map<string, PositionTable>;
  items?: PositionTable[];
}

/** More than a line has: a source has at most 65,536 bytes. */
const COLUMNS = 2 ** 20;
const START = COLUMNS + 1;

export function positionsIn(table: PositionTable): SourcePositions {
  return {
    positionOf(pointer, at = 'value') {
      let place = table;
      for (const token of tokensOf(pointer)) {
        const below = place.members?.get(token) ?? place.items?.[Number(token)];
        if (below === undefined) break;
        place = below;
      }
      return { line: Math.floor(place[at] / COLUMNS), column: place[at] % COLUMNS };
    },
  };
}

/** The table of a document that nests as few levels as a recursion takes. An alias shares the positions of its anchor. */
export function positionTable({ yaml, lines }: ParsedSource): PositionTable {
  const known = new Map<Node, ChildPositions>();

  const positionAt = (offset: number): number => {
    const { line, col } = lines.linePos(offset);
    return Math.max(line, 1) * COLUMNS + Math.max(col, 1);
  };

  function below(node: unknown, holder: PositionTable): ChildPositions {
    const target = isAlias(node) ? node.resolve(yaml) : (node as Node | null);
    if (!isMap(target) && !isSeq(target)) return {};
    const found = known.get(target);
    if (found !== undefined) return found;
    const own: ChildPositions = {};
    known.set(target, own);
    if (isSeq(target)) {
      own.items = target.items.map((item) => tableOf(item, undefined, holder));
      return own;
    }
    own.members = new Map();
    for (const { key, value } of target.items) {
      const name = nameOf(key);
      // Of a name that stands twice, the first is meant.
      if (!own.members.has(name)) own.members.set(name, tableOf(value, startOf(key), holder));
    }
    return own;
  }

  function tableOf(node: unknown, nameStart: number | undefined, holder: PositionTable | undefined): PositionTable {
    const start = startOf(node);
    const isWhole = start !== undefined && (nameStart === undefined || isScalar(node) || isAlias(node));
    const [forKey, forValue] = [nameStart ?? start, (isWhole ? start : nameStart) ?? start];
    const table: PositionTable = {
      key: forKey === undefined ? (holder?.key ?? START) : positionAt(forKey),
      value: forValue === undefined ? (holder?.value ?? START) : positionAt(forValue),
    };
    return Object.assign(table, below(node, table));
  }

  return tableOf(yaml.contents, undefined, undefined);
}

/** The name of a key as the document's value has it. */
export function nameOf(key: unknown): string {
  return isScalar(key) ? String(key.value ?? '') : '';
}

/** Where a node begins. A value that is left out has no text of its own. */
function startOf(node: unknown): number | undefined {
  const range = (node as Node | null | undefined)?.range;
  return range === undefined || range === null || range[0] === range[1] ? undefined : range[0];
}

/** An issue of the source, at a pointer into its document. */
export function sourceIssue(
  positions: SourcePositions,
  pointer: string,
  detail: string,
  at?: 'key' | 'value',
): SourceIssue {
  return { pointer: boundedPointer(`/source${pointer}`), ...positions.positionOf(pointer, at), detail };
}
