// Adds an example to a document by one insertion: everything else stays as it is written, comments included.
import { isCollection, isMap, isSeq, type Pair, parseDocument, type YAMLMap, YAMLSeq } from 'yaml';
import type { DefinitionType } from '../../../shared/definition-types.ts';
import { DEFINITION_FACTS } from '../../../shared/definition-types.ts';
import type { Json } from '../../../shared/json.ts';
import { examplesIn } from './examples-in-program.ts';

export interface NewExample {
  name: string;
  input: Json;
  output?: Json;
  /** Of a workflow: the results of its calls. */
  calls?: Readonly<Record<string, Json>>;
}

/** The document with the example behind its others; undefined if no position for it can be found. */
export function addExample(type: DefinitionType, source: string, example: NewExample): string | undefined {
  const { language, hasSteps } = DEFINITION_FACTS[type];
  switch (language) {
    case 'typescript':
      return addToProgram(source, example);
    case 'yaml':
      return addToYaml(source, hasSteps === true ? ['document', 'metadata', 'examples'] : ['examples'], example);
    case 'markdown': {
      const [head = ''] = /^---\r?\n[\s\S]*?(?=^---\s*$)/m.exec(source) ?? [];
      const begin = head.indexOf('\n') + 1;
      if (begin === 0) return undefined;
      const matter = addToYaml(head.slice(begin), ['examples'], example);
      return matter === undefined ? undefined : head.slice(0, begin) + matter + source.slice(head.length);
    }
  }
}

function addToProgram(source: string, example: NewExample): string | undefined {
  const found = examplesIn(source);
  const text = JSON.stringify(example);
  if (found === undefined) return `${source.trimEnd()}\n\nexport const examples = [\n  ${text},\n];\n`;
  if (found === 'unclear') return undefined;
  const { end, isEmpty, hasComma } = found;
  const comma = isEmpty || hasComma ? '' : ',';
  const before = source.slice(0, end).trimEnd();
  return `${before}${comma}\n  ${text},\n${source.slice(end)}`;
}

function addToYaml(source: string, path: readonly string[], example: NewExample): string | undefined {
  const document = parseDocument(source);
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined;
  let map = document.contents as YAMLMap;
  for (const [depth, name] of path.entries()) {
    const pair = map.items.find((item) => String(item.key) === name);
    const isLast = depth === path.length - 1;
    if (pair === undefined) return insertMembers(source, map, path.slice(depth), example);
    if (isLast) return isSeq(pair.value) ? insertItem(source, pair.value, example) : undefined;
    if (!isMap(pair.value)) return undefined;
    map = pair.value;
  }
  return undefined;
}

/** Behind the last item, written as the others are. */
function insertItem(source: string, list: YAMLSeq, example: NewExample): string | undefined {
  const [begin, end] = list.range ?? [];
  if (begin === undefined || end === undefined) return undefined;
  if (list.flow === true) {
    const close = source.lastIndexOf(']', end);
    const before = source.slice(0, close).trimEnd();
    const comma = list.items.length === 0 || before.endsWith(',') ? '' : ', ';
    return `${before}${comma}${JSON.stringify(example)}${source.slice(close)}`;
  }
  return insertLines(source, endOf(list) ?? end, itemLines(example, ' '.repeat(columnOf(source, begin))));
}

/** At the end of a map that does not have the members yet. */
function insertMembers(
  source: string,
  map: YAMLMap,
  names: readonly string[],
  example: NewExample,
): string | undefined {
  const [begin, end] = map.range ?? [];
  if (begin === undefined || end === undefined) return undefined;
  if (map.flow === true) {
    const close = source.lastIndexOf('}', end);
    const before = source.slice(0, close).trimEnd();
    const comma = map.items.length === 0 || before.endsWith(',') ? ' ' : ', ';
    const value = names.slice(1).reduceRight<Json>((inner, name) => ({ [name]: inner }), [example] as unknown as Json);
    return `${before}${comma}${names[0]}: ${JSON.stringify(value)} ${source.slice(close)}`;
  }
  const indent = columnOf(source, begin);
  const heads = names.map((name, depth) => `${' '.repeat(indent + 2 * depth)}${name}:\n`).join('');
  const lines = itemLines(example, ' '.repeat(indent + 2 * names.length));
  return insertLines(source, endOf(map) ?? end, heads + lines);
}

/** Values are JSON, which YAML includes. */
function itemLines(example: NewExample, indent: string): string {
  return Object.entries(example)
    .filter(([, value]) => value !== undefined)
    .map(([key, value], index) => `${indent}${index === 0 ? '- ' : '  '}${key}: ${JSON.stringify(value)}\n`)
    .join('');
}

/** Where the last value in a collection ends: its own range may reach over comments that belong to what follows. */
function endOf(node: unknown): number | undefined {
  if (isCollection(node) && node.flow !== true) {
    const last = node.items.at(-1);
    const value: unknown =
      node instanceof YAMLSeq ? last : ((last as Pair | undefined)?.value ?? (last as Pair | undefined)?.key);
    return endOf(value);
  }
  const { range } = (node ?? {}) as { range?: readonly number[] };
  return range?.[1];
}

/** Behind the line on which a value ends. */
function insertLines(source: string, end: number, lines: string): string {
  const line = source.indexOf('\n', Math.max(0, end - 1));
  return line === -1 ? `${source}\n${lines}` : source.slice(0, line + 1) + lines + source.slice(line + 1);
}

function columnOf(source: string, at: number): number {
  return at - (source.lastIndexOf('\n', at - 1) + 1);
}
