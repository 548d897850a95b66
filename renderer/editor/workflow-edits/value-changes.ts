// Changes of the text that give a path of the document another value. In objects and lists, only what differs changes.
import { isMap, isScalar, isSeq, type Scalar } from 'yaml';
import { differencesOf } from '../../../shared/json-differences.ts';
import { isJsonObject, type Json } from '../../../shared/json.ts';
import { changeAt, fillEmpty, indentAt, insertLines, removeLines } from './block-entries.ts';
import type { TextChange } from './edits.ts';
import { insertInFlow, isTight, removeFromFlow } from './flow-entries.ts';
import { columnOf, lineEnd, shiftLines } from './lines.ts';
import {
  collectionAt,
  isFlow,
  type Collection,
  type ParsedSource,
  type Place,
  placeAt,
  placesIn,
} from './parsed-source.ts';
import { type Path, valueAt } from './steps.ts';
import { endBeforeValue, endOf, startOf } from './syntax.ts';
import {
  flowValue,
  jsonText,
  type Style,
  styleOf,
  type WrittenValue,
  writtenEntry,
  writtenItem,
  writtenKey,
  writtenMember,
} from './written.ts';

/** Sets a value, with the objects that it needs. */
export function setValue(source: ParsedSource, path: Path, value: Json): TextChange[] {
  const { data } = source;
  let depth = path.length;
  while (depth > 0 && isAbsent(valueAt(data, path.slice(0, depth)))) depth -= 1;
  // The value itself may be null, and is then overwritten.
  const isThere = depth === path.length || placeAt(source, path.slice(0, depth + 1)) !== undefined;
  const at = path.slice(0, isThere ? Math.min(depth + 1, path.length) : depth + 1);
  const added = path.slice(at.length).reduceRight<Json>((inner, token) => ({ [token]: inner }), value);
  const location = placeAt(source, at);
  if (location !== undefined) return replaceValue(source, location, valueAt(data, at) ?? null, added);
  const holder = collectionAt(source, at.slice(0, -1));
  const name = at.at(-1) ?? '';
  return holder === undefined ? [] : addEntry(source, holder.collection, holder.holder, name, added);
}

/** Removes a member of an object or an item of a list. */
export function removeValue(source: ParsedSource, path: Path): TextChange[] {
  const location = placeAt(source, path);
  return location === undefined
    ? []
    : removeEntries(source, location.collection, location.holder, location.index, location.index);
}

export function removeEntries(
  source: ParsedSource,
  collection: Collection,
  holder: Place | undefined,
  first: number,
  last: number,
): TextChange[] {
  const remove = isFlow(collection) ? removeFromFlow : removeLines;
  return remove(source, collection, holder, first, last);
}

function isAbsent(value: Json | undefined): boolean {
  return value === undefined || value === null;
}

function replaceValue(source: ParsedSource, location: Place, current: Json, value: Json): TextChange[] {
  const { node } = location;
  if (
    isMap(node) &&
    isJsonObject(current) &&
    isJsonObject(value) &&
    Object.keys(value).some((key) => Object.hasOwn(current, key))
  ) {
    return replaceMembers(source, node, location, current, value);
  }
  if (isSeq(node) && Array.isArray(current) && Array.isArray(value) && current.length > 0 && value.length > 0) {
    return replaceItems(source, node, location, current, value);
  }
  return differencesOf(current, value, 1).length === 0 && node !== null ? [] : writeOver(source, location, value);
}

function replaceMembers(
  source: ParsedSource,
  collection: Collection,
  holder: Place,
  current: Readonly<Record<string, Json>>,
  value: Readonly<Record<string, Json>>,
): TextChange[] {
  const locations = placesIn(collection, holder);
  const names = isMap(collection) ? collection.items.map(({ key }) => nameOf(key)) : [];
  const isRemoved = names.map((name) => !Object.hasOwn(value, name));
  const added = Object.entries(value).filter(([name]) => !names.includes(name));
  // Commas belong to two entries: they are not added and removed side by side.
  if (isFlow(collection) && added.length > 0 && isRemoved.includes(true)) return writeOver(source, holder, value);
  return [
    ...names.flatMap((name, index) => {
      const [location, next] = [locations[index], value[name]];
      if (location === undefined || next === undefined || isRemoved[index] === true) return [];
      return replaceValue(source, location, current[name] ?? null, next);
    }),
    ...insertEntries(source, collection, holder, isRemoved.lastIndexOf(false) + 1, added),
    ...runsOf(isRemoved).flatMap(([first, last]) => removeEntries(source, collection, holder, first, last)),
  ];
}

function replaceItems(
  source: ParsedSource,
  collection: Collection,
  holder: Place,
  current: readonly Json[],
  value: readonly Json[],
): TextChange[] {
  const locations = placesIn(collection, holder);
  const common = Math.min(current.length, value.length);
  const changes = locations
    .slice(0, common)
    .flatMap((location, index) => replaceValue(source, location, current[index] ?? null, value[index] ?? null));
  if (current.length > common) changes.push(...removeEntries(source, collection, holder, common, current.length - 1));
  const added = value.slice(common).map((item): Entry => ['', item]);
  return [...changes, ...insertEntries(source, collection, holder, common, added)];
}

/** Runs of entries that are removed together. */
function runsOf(isRemoved: readonly boolean[]): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const [index, removed] of isRemoved.entries()) {
    const run = runs.at(-1);
    if (!removed) continue;
    if (run !== undefined && run[1] === index - 1) run[1] = index;
    else runs.push([index, index]);
  }
  return runs;
}

function addEntry(
  source: ParsedSource,
  collection: Collection,
  holder: Place | undefined,
  name: string,
  value: Json,
): TextChange[] {
  const at = collection.items.length;
  if (at === 0 && holder !== undefined && !isFlow(holder.collection)) {
    const style = styleOf(source);
    const column = columnOf(source.text, startOf(holder.syntax)) + style.indent;
    const filled = isMap(collection)
      ? fillEmpty(source, holder, shiftLines(withBreaks(source, writtenEntry(name, value, style)), column, true))
      : undefined;
    if (filled !== undefined) return filled;
  }
  return insertEntries(source, collection, holder, at, [[name, value]]);
}

/** A member of an object, or an item of a list, which has no name. */
type Entry = readonly [name: string, value: Json];

function insertEntries(
  source: ParsedSource,
  collection: Collection,
  holder: Place | undefined,
  at: number,
  entries: readonly Entry[],
): TextChange[] {
  if (entries.length === 0) return [];
  const style = styleOf(source);
  if (isFlow(collection)) {
    const written = entries.map(([name, value]) => (column: number): string => {
      const text = inFlow(source, value, column);
      if (isSeq(collection)) return text;
      if (source.isJson) return `${JSON.stringify(name)}:${isTight(source.text) ? '' : ' '}${text}`;
      return `${writtenKey(name, style, true)}: ${text}`;
    });
    return insertInFlow(source, collection, holder, at, written);
  }
  return entries.flatMap(([name, value]) =>
    insertLines(source, collection, holder, at, (column) => {
      const lines = isSeq(collection) ? itemLines(value, style) : writtenEntry(name, value, style);
      return shiftLines(withBreaks(source, lines), column, true);
    }),
  );
}

/** An item with its dash. */
export function itemLines(value: Json, style: Style): string {
  const { head, body } = writtenItem(value, style);
  return body === '' ? `-${head}` : `-${head}\n${body}`;
}

/** A value as it is written within brackets. */
export function inFlow(source: ParsedSource, value: Json, column: number, like?: Scalar.Type): string {
  const style = styleOf(source);
  return source.isJson ? withBreaks(source, jsonText(value, style, column)) : flowValue(value, style, like);
}

/** Writes a value where another one is, or nothing. */
function writeOver(source: ParsedSource, { collection, syntax, node }: Place, value: Json): TextChange[] {
  const { text, newline } = source;
  const like = isScalar(node) && node.type !== undefined && node.type !== null ? node.type : undefined;
  const before = endBeforeValue(syntax);
  const token = syntax.value;
  const begin = token?.offset;
  const end = token === undefined ? before : endOf(syntax);
  if (isFlow(collection)) {
    const written = inFlow(source, value, indentAt(text, begin ?? before), like);
    return [begin === undefined ? changeAt(before, ` ${written}`) : { from: begin, to: end, insert: written }];
  }
  const style = styleOf(source);
  const written: WrittenValue = isSeq(collection) ? writtenItem(value, style, like) : writtenMember(value, style, like);
  const column = columnOf(text, startOf(syntax));
  const body = written.body === '' ? '' : newline + shiftLines(withBreaks(source, written.body), column, true);
  if (token?.type === 'block-map' || token?.type === 'block-seq' || token?.type === 'block-scalar') {
    const last = text[end - 1] === '\n' ? end - (text[end - 2] === '\r' ? 2 : 1) : lineEnd(text, end);
    // A comment behind the key stays there.
    const comment = /^(?:[ \t]*[|>][-+0-9]*)?([ \t]+#.*)$/.exec(text.slice(before, lineEnd(text, before)))?.[1] ?? '';
    return [{ from: before, to: last, insert: written.head + comment + body }];
  }
  const isBeside = begin !== undefined && !text.slice(before, begin).includes('\n');
  const head =
    isBeside && body === ''
      ? { from: begin, to: end, insert: written.head.trimStart() }
      : { from: before, to: end, insert: written.head };
  return body === '' ? [head] : [head, changeAt(lineEnd(text, end), body)];
}

export function withBreaks({ newline }: ParsedSource, text: string): string {
  return newline === '\n' ? text : text.replaceAll('\n', newline);
}

function nameOf(key: unknown): string {
  return String((key as { value?: unknown } | null)?.value ?? '');
}
