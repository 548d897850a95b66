// A source as its text, its syntax and its data at once.
import {
  type CST,
  type Document,
  isAlias,
  isMap,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { RefusedEdit } from './refused-edit.ts';
import type { Path } from './steps.ts';

export interface ParsedSource {
  text: string;
  yaml: Document.Parsed;
  data: JsonObject;
  /** The text is JSON, and remains JSON. */
  isJson: boolean;
  /** The line ending of the first line. */
  newline: '\n' | '\r\n';
}

export type Collection = YAMLMap | YAMLSeq;

/** An entry of a collection: an item of a list, or a member of an object. */
export interface Place {
  collection: Collection;
  index: number;
  syntax: CST.CollectionItem;
  /** Null: nothing is written there. */
  node: Node | null;
  /** Where the collection itself is; absent: it is the document. */
  holder?: Place;
}

/** The last one that was parsed. Large documents take long, and an edit reads the same text for several purposes. */
let latest: ParsedSource | undefined;

/** @throws RefusedEdit if the text is not YAML, or no object; RangeError if it nests by the thousand */
export function parseSource(text: string): ParsedSource {
  if (latest?.text !== text) latest = parseAnew(text);
  return latest;
}

function parseAnew(text: string): ParsedSource {
  const yaml = parsed(text);
  const [error] = [...yaml.errors, ...yaml.warnings];
  if (error !== undefined) {
    const line = text.slice(0, error.pos[0]).split('\n').length;
    throw new RefusedEdit(`The source is not valid YAML in line ${line}; correct it first.`);
  }
  const data = dataOf(yaml);
  if (!isJsonObject(data)) throw new RefusedEdit('The source is not a workflow; it needs `document` and `do`.');
  const newline = /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
  return { text, yaml, data, isJson: isJson(text), newline };
}

function parsed(text: string): Document.Parsed {
  return parseDocument(text, {
    version: '1.2',
    schema: 'core',
    stringKeys: true,
    resolveKnownTags: false,
    merge: false,
    prettyErrors: false,
    keepSourceTokens: true,
  });
}

/** Values that aliases may stand for, all in all: as in the service. */
const MOST_ALIASES = 100;

/** Aliases are written out, so that each value can be changed alone. */
function dataOf(yaml: Document.Parsed): Json {
  try {
    return JSON.parse(JSON.stringify(yaml.toJS({ maxAliasCount: MOST_ALIASES }))) as Json;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new RefusedEdit('The aliases of the source cannot be resolved; write the values out first.');
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @throws RefusedEdit if an alias stands for a holder of the value */
export function placeAt({ yaml }: ParsedSource, path: Path): Place | undefined {
  let node: unknown = yaml.contents;
  let location: Place | undefined;
  for (const token of path) {
    if (isAlias(node)) {
      throw new RefusedEdit(
        `This place is written once, as \`&${node.source}\`, and used again; edit it in the source.`,
      );
    }
    if (!isMap(node) && !isSeq(node)) return undefined;
    const found = entryAt(node, token, location);
    if (found === undefined) return undefined;
    location = found;
    node = found.node;
  }
  return location;
}

function entryAt(collection: Collection, token: string, holder: Place | undefined): Place | undefined {
  const index = isSeq(collection) ? Number(token) : collection.items.findIndex(({ key }) => isKey(key, token));
  return placesIn(collection, holder)[index];
}

function isKey(key: unknown, token: string): boolean {
  return String((key as { value?: unknown } | null)?.value ?? '') === token;
}

/** All entries of a collection, in order. */
export function placesIn(collection: Collection, holder: Place | undefined): Place[] {
  const { items } = collection.srcToken as CST.BlockMap | CST.BlockSequence | CST.FlowCollection;
  return collection.items.map((item, index): Place => {
    const node = (isSeq(collection) ? item : (item as Pair).value) as Node | null;
    const syntax = items[index];
    if (syntax === undefined) throw new Error('An entry of a parsed collection has no syntax.');
    return { collection, index, syntax, node, ...(holder === undefined ? {} : { holder }) };
  });
}

/** The collection at a path; undefined if there is none. The location is where it is written. */
export function collectionAt(source: ParsedSource, path: Path): { collection: Collection; holder?: Place } | undefined {
  const holder = path.length === 0 ? undefined : placeAt(source, path);
  const node: unknown = path.length === 0 ? source.yaml.contents : holder?.node;
  if (isAlias(node)) {
    throw new RefusedEdit(`This place is written once, as \`&${node.source}\`, and used again; edit it in the source.`);
  }
  if (!isMap(node) && !isSeq(node)) return undefined;
  return { collection: node, ...(holder === undefined ? {} : { holder }) };
}

export function isFlow({ srcToken }: Collection): boolean {
  return srcToken?.type === 'flow-collection';
}
