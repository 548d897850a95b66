// Carries a plan out in the text.
import { CST, isMap, isNode, isScalar, isSeq, visit } from 'yaml';
import type { Json } from '../../../shared/json.ts';
import { fillEmpty, insertLines } from './block-entries.ts';
import { changedPart } from './changes.ts';
import type { TextChange } from './edits.ts';
import { extentsIn } from './extents.ts';
import { flowExtentsIn, insertInFlow } from './flow-entries.ts';
import { columnOf, lineStart, shiftLines } from './lines.ts';
import {
  type Collection,
  collectionAt,
  isFlow,
  type ParsedSource,
  type Place,
  placeAt,
  placesIn,
} from './parsed-source.ts';
import { redirected } from './apply-plan.ts';
import type { Plan, PutItem } from './plan.ts';
import type { Redirection } from './references.ts';
import { RefusedEdit } from './refused-edit.ts';
import { type Path, valueAt } from './steps.ts';
import { startOf } from './syntax.ts';
import { inFlow, itemLines, removeEntries, removeValue, setValue, withBreaks } from './value-changes.ts';
import { flowValue, styleOf, writtenKey } from './written.ts';

/** @throws RefusedEdit where the text does not allow it */
export function textChanges(source: ParsedSource, { redirections, take, put, set }: Plan): TextChange[] {
  const changed = redirections.map((one) => redirect(source, one));
  const changes: TextChange[] = [];
  let removed: TextChange[] = [];
  if (take !== undefined) {
    const { collection, holder } = listAt(source, take.list);
    removed = removeEntries(source, collection, holder, take.at, take.at);
  }
  if (put !== undefined) {
    const from = take !== undefined && put.item.from === 'taken' ? take : { list: put.list, at: put.at };
    changes.push(...putItem(source, put.list, put.at, itemText(source, put.item, from, redirections)));
  }
  if (set !== undefined) {
    changes.push(...(set.value === undefined ? removeValue(source, set.path) : setValue(source, set.path, set.value)));
  }
  const isRemoved = ({ from, to }: TextChange): boolean => removed.some((gap) => gap.from <= from && to <= gap.to);
  return [...changed.filter((one) => !isRemoved(one)), ...changes, ...removed];
}

function listAt(source: ParsedSource, path: Path): { collection: Collection; holder?: Place } {
  const found = collectionAt(source, path);
  if (found === undefined) throw new RefusedEdit('The list of steps is not written in this source.');
  return found;
}

function redirect(source: ParsedSource, { path, becomes, isKey }: Redirection): TextChange {
  const location = placeAt(source, path);
  if (location === undefined)
    throw new RefusedEdit(`\`${becomes}\` cannot be written here; edit the step in the source.`);
  const { collection, index, node, syntax } = location;
  const style = styleOf(source);
  if (isKey === true) {
    const key = isMap(collection) ? collection.items[index]?.key : undefined;
    if (!isScalar(key) || key.range === undefined || key.range === null) {
      throw new RefusedEdit(`\`${becomes}\` cannot be written here; edit the step in the source.`);
    }
    const text = source.isJson
      ? JSON.stringify(becomes)
      : writtenKey(becomes, style, isFlow(collection), key.type ?? undefined);
    return { from: key.range[0], to: key.range[1], insert: text };
  }
  const like = isScalar(node) ? (node.type ?? undefined) : undefined;
  const [from, to] = [syntax.value?.offset ?? 0, isNode(node) ? (node.range?.[1] ?? 0) : 0];
  if (like === 'BLOCK_LITERAL' || like === 'BLOCK_FOLDED') {
    throw new RefusedEdit(`The name of a step is written in several lines; write it in one line first.`);
  }
  const text = source.isJson ? JSON.stringify(becomes) : flowValue(becomes, style, like);
  return { from, to, insert: text };
}

/** An item as text, to be written in lines or in brackets. */
interface ItemText {
  /** Blank lines below it would belong to it. */
  keepsBlankLines?: boolean;
  /** From the start of its first line, with its dash, for a column of the dash. */
  lines: (column: number) => string;
  /** For a column of the line that it begins on. */
  flow: (column: number) => string;
}

function itemText(
  source: ParsedSource,
  item: PutItem,
  from: { list: Path; at: number },
  redirections: readonly Redirection[],
): ItemText {
  const made = (all: readonly Redirection[]): TextChange[] => all.map((one) => redirect(source, one));
  switch (item.from) {
    case 'edit':
      return newText(source, item.item);
    case 'taken':
      return writtenText(source, from, redirections, made(redirections));
    case 'copy': {
      const copied = { list: from.list, at: item.of };
      const changes = [...made(item.redirections), ...withoutAnchors(source, copied)];
      return writtenText(source, copied, item.redirections, changes);
    }
  }
}

function newText(source: ParsedSource, item: Json): ItemText {
  return {
    lines: (column) => shiftLines(withBreaks(source, itemLines(item, styleOf(source))), column, true),
    flow: (column) => inFlow(source, item, column),
  };
}

/** The text of an item that is in the source, with changes. */
function writtenText(
  source: ParsedSource,
  { list, at }: { list: Path; at: number },
  redirections: readonly Redirection[],
  changes: readonly TextChange[],
): ItemText {
  const { text, newline } = source;
  const { collection, holder } = listAt(source, list);
  if (isFlow(collection)) {
    const extent = flowExtentsIn(source, collection, holder)[at];
    if (extent === undefined) throw new Error('Only items of the list can be moved.');
    const { start, content, end } = extent;
    const base = /^[ \t]*/.exec(text.slice(lineStart(text, content)))?.[0].length ?? 0;
    const whole = changedPart(text, content, end, changes);
    const comments = text
      .slice(start, content)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    return {
      lines: (column) => {
        const lead = comments.map((line) => `${' '.repeat(column)}${line}${newline}`).join('');
        return `${lead}${' '.repeat(column)}- ${shiftLines(whole, column + 2 - base, false)}`;
      },
      flow: (column) => shiftLines(changedPart(text, start, end, changes), column - base, false),
    };
  }
  const extent = extentsIn(source, collection, holder)[at];
  if (extent === undefined) throw new Error('Only items of the list can be moved.');
  const { start, end, column: base, isInline } = extent;
  const part = (isInline ? ' '.repeat(base) : '') + changedPart(text, start, end, changes);
  return {
    keepsBlankLines: extent.keepsBlankLines,
    lines: (column) => shiftLines(part, column - base, true),
    flow: (column) => {
      if (hasComments(collection, at) || /^\s*#/.test(part)) {
        throw new RefusedEdit(
          'A step with comments cannot move into a list in brackets; write that list in lines, with a dash for each step.',
        );
      }
      const value = valueAt(source.data, [...list, String(at)]) ?? null;
      return inFlow(source, redirected(value, redirections, [...list, String(at)]), column);
    },
  };
}

function hasComments(collection: Collection, at: number): boolean {
  let found = false;
  const item = isSeq(collection) ? collection.items[at] : undefined;
  if (!isNode(item)) return false;
  visit(item, {
    Node(_, node) {
      if (node.comment === undefined && node.commentBefore === undefined) return undefined;
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

/** A copy has no anchors: an alias stands for the original. */
function withoutAnchors(source: ParsedSource, { list, at }: { list: Path; at: number }): TextChange[] {
  const { collection, holder } = listAt(source, list);
  const syntax = placesIn(collection, holder)[at]?.syntax;
  const anchors: TextChange[] = [];
  const look = ({ start, key, sep, value }: CST.CollectionItem): void => {
    for (const tokens of [start, sep ?? []]) {
      for (const [index, { type, offset, source: written }] of tokens.entries()) {
        if (type !== 'anchor') continue;
        // One space goes with it, so that none is left at the end of a line.
        const [before, after] = [tokens[index - 1], tokens[index + 1]];
        const behind = after?.type === 'space' ? after.source.length : 0;
        const spaces = behind === 0 && before?.type === 'space' ? before.source.length : 0;
        anchors.push({ from: offset - spaces, to: offset + written.length + behind, insert: '' });
      }
    }
    for (const inner of [key, value]) {
      if (inner !== null && inner !== undefined && CST.isCollection(inner)) for (const item of inner.items) look(item);
    }
  };
  if (syntax !== undefined) look(syntax);
  return anchors;
}

function putItem(source: ParsedSource, list: Path, at: number, item: ItemText): TextChange[] {
  const { collection, holder } = listAt(source, list);
  if (!isFlow(collection)) return insertLines(source, collection, holder, at, item.lines, item.keepsBlankLines);
  if (
    collection.items.length === 0 &&
    holder !== undefined &&
    !isFlow(holder.collection) &&
    valueAt(source.data, list) !== undefined
  ) {
    const column = columnOf(source.text, startOf(holder.syntax)) + styleOf(source).dashIndent;
    const filled = fillEmpty(source, holder, item.lines(column));
    if (filled !== undefined) return filled;
  }
  return insertInFlow(source, collection, holder, at, [item.flow]);
}
