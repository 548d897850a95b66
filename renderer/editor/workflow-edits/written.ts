// Values as text, in the style of the document that they are written into.
import { type CST, Document, isMap, isScalar, isSeq, type Pair, Scalar, visit, type YAMLMap } from 'yaml';
import { isJsonObject, type Json } from '../../../shared/json.ts';
import { isFlow, type ParsedSource } from './parsed-source.ts';
import { columnOf } from './lines.ts';

export interface Style {
  /** Columns of each level; 0: JSON in one line. */
  indent: number;
  /** JSON is indented with tabs. */
  hasTabs: boolean;
  /** Spaces of a list's dashes below their key. */
  dashIndent: number;
}

/** What follows a colon or a dash: the rest of its line, and the lines below, relative to the key or the dash. */
export interface WrittenValue {
  head: string;
  body: string;
}

/** The style of the first nested object and the first list that are written in lines. */
export function styleOf({ text, yaml, isJson }: ParsedSource): Style {
  if (isJson) {
    const [first] = (yaml.contents as YAMLMap | null)?.items ?? [];
    const at = (first as Pair<Scalar> | undefined)?.key.range?.[0] ?? 0;
    const indent = text.lastIndexOf('\n', at) === -1 ? 0 : columnOf(text, at);
    return { indent, dashIndent: indent, hasTabs: indent > 0 && text[at - 1] === '\t' };
  }
  let indent: number | undefined;
  let dashIndent: number | undefined;
  visit(yaml, {
    Pair(_, { key, value }) {
      if ((!isMap(value) && !isSeq(value)) || isFlow(value) || !isScalar(key)) return undefined;
      const outer = columnOf(text, key.range?.[0] ?? 0);
      const inner = columnOf(text, (value.srcToken as CST.BlockMap | CST.BlockSequence).offset);
      if (isSeq(value)) dashIndent ??= inner - outer;
      else indent ??= inner - outer;
      return indent === undefined || dashIndent === undefined ? undefined : visit.BREAK;
    },
  });
  return { indent: Math.max(indent ?? 2, 1), dashIndent: dashIndent ?? 2, hasTabs: false };
}

/** @param like how the text was written before */
export function writtenMember(value: Json, style: Style, like?: Scalar.Type): WrittenValue {
  return splitValue(yamlOf({ k: value }, style, false, like).slice('k:'.length));
}

export function writtenItem(value: Json, style: Style, like?: Scalar.Type): WrittenValue {
  return splitValue(yamlOf([value], style, false, like).slice('-'.length));
}

/** A member of an object that is written in lines, without the last line break. */
export function writtenEntry(name: string, value: Json, style: Style): string {
  return yamlOf({ [name]: value }, style, false).trimEnd();
}

/** A key, without the colon. */
export function writtenKey(name: string, style: Style, isInFlow: boolean, like?: Scalar.Type): string {
  const text = yamlOf({ [name]: 0 }, style, isInFlow, undefined, like);
  return text.slice(isInFlow ? text.indexOf('{ ') + 2 : 0, text.lastIndexOf(': 0'));
}

/** A value in one line, as it is written within brackets. */
export function flowValue(value: Json, style: Style, like?: Scalar.Type): string {
  return yamlOf([value], style, true, like).trimEnd().slice('[ '.length, -' ]'.length);
}

function splitValue(text: string): WrittenValue {
  const end = text.indexOf('\n');
  return { head: text.slice(0, end), body: text.slice(end + 1).replace(/\n$/, '') };
}

function yamlOf(value: Json, style: Style, isInFlow: boolean, like?: Scalar.Type, keyLike?: Scalar.Type): string {
  const document = new Document(value, { version: '1.2', schema: 'core', aliasDuplicateObjects: false });
  const root = document.contents;
  if ((isMap(root) || isSeq(root)) && isInFlow) root.flow = true;
  const [first] = isMap(root) || isSeq(root) ? root.items : [];
  const node: unknown = isSeq(root) ? first : (first as Pair | undefined)?.value;
  if (isScalar(node) && like !== undefined && isKept(node, like)) node.type = like;
  visit(document, {
    Scalar(_, scalar) {
      // Within brackets, further lines would have to be indented. In lines, the number of blank lines at the end would
      // depend on what follows.
      const isQuoted = isInFlow ? /\n/ : /(?:^|\n)\n$/;
      if (typeof scalar.value === 'string' && isQuoted.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  const key: unknown = isMap(root) ? (first as Pair | undefined)?.key : undefined;
  if (isScalar(key) && keyLike !== undefined) key.type = keyLike;
  return document.toString({
    indent: Math.max(style.indent, 2),
    indentSeq: style.dashIndent > 0,
    lineWidth: 0,
    // Quoted texts are not folded.
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
}

/** Quotes stay; a text in lines stays one where it still has lines. */
function isKept({ value }: Scalar, like: Scalar.Type): boolean {
  if (typeof value !== 'string') return false;
  return like === Scalar.QUOTE_SINGLE || like === Scalar.QUOTE_DOUBLE || value.includes('\n');
}

/** JSON, with its further lines below a column. */
export function jsonText(value: Json, { indent, hasTabs }: Style, column: number): string {
  const isLarge = Array.isArray(value) ? value.length > 0 : isJsonObject(value) && Object.keys(value).length > 0;
  if (!isLarge || indent === 0) return JSON.stringify(value);
  const space = hasTabs ? '\t' : ' ';
  return JSON.stringify(value, null, space.repeat(indent)).replaceAll('\n', `\n${space.repeat(column)}`);
}
