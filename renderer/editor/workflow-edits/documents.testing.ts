// Workflows in every layout, for property tests: a tree of steps, and the text of it in some style.
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../shared/json.ts';

export interface Style {
  /** Spaces of a nested object, and of the dashes of a list. */
  indent: number;
  dashes: number;
  newline: '\n' | '\r\n';
  blankLines: number;
  comments: boolean;
  finalNewline: boolean;
  layout: 'lines' | 'brackets' | 'json' | 'compact json';
}

export interface Document {
  source: string;
  style: Style;
  /** The lines of each step that holds no other step, with its comments, by its id; only in lines. */
  leaves: ReadonlyMap<number, string>;
}

const STYLE: fc.Arbitrary<Style> = fc.record({
  indent: fc.constantFrom(2, 4, 3),
  dashes: fc.constantFrom(0, 2),
  newline: fc.constantFrom('\n', '\r\n'),
  blankLines: fc.constantFrom(0, 0, 1, 2),
  comments: fc.boolean(),
  finalNewline: fc.boolean(),
  layout: fc.constantFrom('lines', 'lines', 'lines', 'brackets', 'json', 'compact json'),
});

const NAMES = ['read', 'charge', 'a b', 'x/y', '~t', "it's", '1', 'null', '- d', 'é: f', 'step-2', '#g'];

interface Step {
  name: string;
  kind: string;
  then: number | 'exit' | 'end' | undefined;
  text: string;
  lists: readonly Step[][];
}

/** Texts that YAML writes in different ways. */
const TEXT = fc.constantFrom('plain', '${ .a }', 'two\nlines', 'two\nlines\n', ' # no comment', "'", 'kept\n\n', '');

const KINDS = ['set', 'set', 'wait', 'switch'];
const BLOCKS = ['do', 'for', 'try', 'fork', 'listen'];

/** Steps that nest at most so many levels. */
function listOf(levels: number): fc.Arbitrary<Step[]> {
  const step = fc.record({
    name: fc.constantFrom(...NAMES),
    kind: fc.constantFrom(...KINDS, ...(levels > 0 ? BLOCKS : [])),
    then: fc.constantFrom(undefined, undefined, 0, 1, 2, 'exit' as const, 'end' as const),
    text: TEXT,
    lists: levels > 0 ? fc.tuple(listOf(levels - 1), listOf(levels - 1)) : fc.constant([]),
  });
  return fc.uniqueArray(step, { selector: ({ name }) => name, maxLength: 4 });
}

/** Documents whose steps have numbers as `metadata.id`, and whose examples name some of them by pointer. */
export const DOCUMENT: fc.Arbitrary<Document> = fc.tuple(listOf(2), STYLE).map(([list, style]) => written(list, style));

function written(list: readonly Step[], style: Style): Document {
  let id = 0;
  const pointers: string[] = [];
  const data = (steps: readonly Step[], at: string, isFork: boolean): Json[] =>
    steps.map((step, index) => {
      id += 1;
      const pointer = `${at}/${index}/${step.name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (id % 2 === 0) pointers.push(pointer);
      const target = typeof step.then === 'number' ? steps[step.then]?.name : step.then;
      const then = isFork || target === undefined ? undefined : target;
      return { [step.name]: { metadata: { id }, ...task(step, pointer, then) } };
    });

  function task(
    { kind, text, lists: [first = [], second = []] }: Step,
    at: string,
    then: string | undefined,
  ): JsonObject {
    const next: JsonObject = then === undefined ? {} : { then };
    switch (kind) {
      case 'wait':
        return { wait: 'PT1S', ...next };
      case 'switch':
        return {
          switch: [{ one: { when: '.a', then: then ?? 'continue' } }, { 'other case': { then: 'exit' } }],
          ...next,
        };
      case 'do':
        return { do: data(first, `${at}/do`, false), ...next };
      case 'for':
        return { for: { in: '.a' }, ...next, do: data(first, `${at}/do`, false) };
      case 'try': {
        const handler = { errors: { with: { instance: at } }, do: data(second, `${at}/catch/do`, false), ...next };
        return { try: data(first, `${at}/try`, false), catch: handler };
      }
      case 'fork':
        return { fork: { branches: data(first, `${at}/fork/branches`, true) }, ...next };
      case 'listen':
        return { listen: { to: { any: [] } }, foreach: { do: data(first, `${at}/foreach/do`, false) } };
      default:
        return { set: { text, do: [{ no: 'step' }] }, ...next };
    }
  }

  const steps = data(list, '/do', false);
  const calls = Object.fromEntries(pointers.map((pointer, index) => [pointer, index]));
  const document = { document: { name: 'w', metadata: { examples: [{ name: 'e', calls }] } }, do: steps };
  const leaves = new Map<number, string>();
  const text = sourceOf(document, style, leaves).replaceAll('\n', style.newline);
  return { source: style.finalNewline ? text : text.replace(/\r?\n$/, ''), style, leaves };
}

function sourceOf(document: JsonObject, style: Style, leaves: Map<number, string>): string {
  if (style.layout === 'json') return `${JSON.stringify(document, null, style.indent)}\n`;
  if (style.layout === 'compact json') return `${JSON.stringify(document)}\n`;
  const lines = blockLines(document, style, leaves);
  return `# The first line.\n${lines.join('\n')}\n${style.comments ? '# The last line.\n' : ''}`;
}

let comment = 0;

/** A comment that no other line has. */
function note(): string {
  comment += 1;
  return `# note ${comment}.`;
}

function blockLines(value: JsonObject, style: Style, leaves: Map<number, string>, depth = 0): string[] {
  return Object.entries(value).flatMap(([name, member], index) => {
    const key = /^[a-zA-Z][a-zA-Z-]*$/.test(name) && name !== 'null' ? name : JSON.stringify(name);
    const tail = style.comments && index % 2 === 1 ? ` ${note()}` : '';
    if (Array.isArray(member)) {
      const isBracketed = member.length === 0 || (style.layout === 'brackets' && depth > 0);
      if (isBracketed) return [`${key}: ${flowText(member)}${tail}`];
      return [`${key}:${tail}`, ...itemLines(member, style, leaves, depth).map((line) => pad(line, style.dashes))];
    }
    if (typeof member === 'object' && member !== null) {
      if (Object.keys(member).length === 0 || name === 'metadata') return [`${key}: ${flowText(member)}${tail}`];
      return [`${key}:${tail}`, ...blockLines(member, style, leaves, depth + 1).map((line) => pad(line, style.indent))];
    }
    if (typeof member === 'string' && /^\S[^#]*\n$/.test(member)) {
      const lines = member.replace(/\n$/, '').split('\n');
      return [`${key}: |${member.endsWith('\n\n') ? '+' : ''}`, ...lines.map((line) => pad(line, style.indent))];
    }
    const isPlain = typeof member === 'string' && /^[a-z.][\w./]*$/.test(member) && member !== 'null';
    return [`${key}: ${isPlain ? member : JSON.stringify(member)}${tail}`];
  });
}

function itemLines(items: readonly Json[], style: Style, leaves: Map<number, string>, depth: number): string[] {
  return items.flatMap((item, index) => {
    const inner = blockLines(item as JsonObject, style, leaves, depth + 1);
    const [head = '', ...rest] = inner;
    const lines = [
      ...(style.comments && index % 2 === 0 ? [note()] : []),
      `- ${head}`,
      ...rest.map((line) => pad(line, 2)),
      ...(style.comments && index % 2 === 1 ? [`  ${note()}`] : []),
    ];
    const id = Number(/metadata: \{ "?id"?: (\d+) \}/.exec(lines.join('\n'))?.[1]);
    if (lines.join('\n').split('metadata').length === 2) {
      leaves.set(id, lines.map((line) => line.trimStart()).join('\n'));
    }
    return [...(index === 0 ? [] : Array.from({ length: style.blankLines }, () => '')), ...lines];
  });
}

/** Brackets with the spaces that people write. */
function flowText(value: Json): string {
  return JSON.stringify(value).replaceAll(/^\{(.*)\}$/g, (_, inner: string) =>
    inner === '' ? '{}' : `{ ${inner.replace('"id":', 'id: ')} }`,
  );
}

function pad(line: string, by: number): string {
  return line === '' ? '' : ' '.repeat(by) + line;
}
