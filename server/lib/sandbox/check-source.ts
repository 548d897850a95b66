// What a program's text may be: TypeScript whose types can be stripped, one module without imports, with the
// exports that its kind knows. Runs in a worker, since a hostile text can break a parser.
import type { AnyNode, Program } from 'acorn';
import { full } from 'acorn-walk';
import type { QuickJSHandle } from 'quickjs-emscripten-core';
import { nearestName } from '../../../shared/nearest-name.ts';
import { insertionsOf } from './annotate.ts';
import {
  constantIssues,
  CONSTANTS,
  type Constants,
  DECLARED,
  parseProgram,
  variableIssues,
  withConstants,
} from './constants.ts';
import type { Instance } from './instance.ts';
import type { CheckDone, CheckJob, Position, ProgramIssue } from './job.ts';
import { evaluate, evaluateView } from './run-program.ts';
import { stripTypes, stripByteOrderMark } from './strip-types.ts';
import { unavailableIssues } from './unavailable.ts';

export function checkSource(instance: Instance, { source: written, form }: CheckJob): CheckDone {
  const nothing = { kind: 'checked' as const, values: {}, places: {}, insertions: [] };
  const source = stripByteOrderMark(written);
  const stripped = stripTypes(source);
  if ('issue' in stripped) return { ...nothing, issues: [stripped.issue], isUnreadable: stripped.isUnreadable };
  const parsed = parseModule(stripped.program);
  if ('issue' in parsed) return { ...nothing, issues: [parsed.issue], isUnreadable: true };
  const places = exportPlaces(parsed.tree);
  const issues = [
    ...moduleIssues(parsed.tree),
    ...unavailableIssues(parsed.tree),
    ...exportIssues(places, form.exports),
    ...(form.keepsView ? variableIssues(parsed.tree) : []),
  ];
  if (issues.length > 0) return { ...nothing, issues, places };
  const evaluated: Evaluated = form.keepsView
    ? evaluateView(instance, withConstants(stripped.program, parsed.tree))
    : evaluate(instance, stripped.program);
  if ('detail' in evaluated) return { ...nothing, issues: [placed(evaluated.detail)], places };
  const changing = constantIssues(stripped.program, parsed.tree, evaluated.constants ?? {});
  if (changing.length > 0) return { ...nothing, issues: changing, places };
  const texts = instance.context.getString(instance.call('exportsOf', evaluated.exports));
  const found = JSON.parse(texts) as Record<string, string>;
  delete found[CONSTANTS];
  delete found[DECLARED];
  const insertions = insertionsOf(parsed.tree, source, form.parameters);
  const { values, issues: unreadable } = valuesOf(found, places);
  const program = unreadable.length === 0 ? { program: stripped.program } : {};
  return { kind: 'checked', places, insertions, values, issues: unreadable, ...program };
}

type Evaluated = { exports: QuickJSHandle; constants?: Constants } | { detail: string };

function parseModule(program: string): { tree: Program } | { issue: ProgramIssue } {
  try {
    return { tree: parseProgram(program) };
  } catch (error) {
    if (!(error instanceof SyntaxError) || !('loc' in error)) throw error;
    const { line, column } = error.loc as Position;
    const words = error.message.replace(/ \(\d+:\d+\)$/, '');
    return {
      issue: {
        line,
        column: column + 1,
        detail: `The program is not valid JavaScript: ${words.charAt(0).toLowerCase()}${words.slice(1)}.`,
      },
    };
  }
}

function positionOf({ loc }: AnyNode): Position {
  return { line: loc?.start.line ?? 1, column: (loc?.start.column ?? 0) + 1 };
}

/** What a module of its own cannot have. */
function moduleIssues(tree: Program): ProgramIssue[] {
  const issues: ProgramIssue[] = [];
  full(tree, (visited) => {
    const node = visited;
    const detail = refusedNode(node);
    if (detail !== undefined) issues.push({ ...positionOf(node), detail });
  });
  return issues.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

function refusedNode(node: AnyNode): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ImportExpression':
      return 'Programs cannot import; put everything the program needs into its source.';
    case 'ExportAllDeclaration':
      return 'Programs cannot re-export from other modules; put everything the program needs into its source.';
    case 'ExportNamedDeclaration':
      return node.source
        ? 'Programs cannot re-export from other modules; put everything the program needs into its source.'
        : undefined;
    case 'MetaProperty':
      return node.meta.name === 'import' ? 'Programs have no `import.meta`.' : undefined;
    default:
      return undefined;
  }
}

/** Where each export stands, by its name. */
function exportPlaces(tree: Program): Record<string, Position> {
  const places = new Map<string, Position>();
  for (const node of tree.body) {
    if (node.type === 'ExportDefaultDeclaration') places.set('default', positionOf(node));
    if (node.type !== 'ExportNamedDeclaration') continue;
    for (const { exported } of node.specifiers) {
      places.set(exported.type === 'Identifier' ? exported.name : String(exported.value), positionOf(exported));
    }
    const { declaration } = node;
    if (declaration?.type === 'VariableDeclaration') {
      for (const { id } of declaration.declarations) if (id.type === 'Identifier') places.set(id.name, positionOf(id));
    } else if (declaration) places.set(declaration.id.name, positionOf(declaration.id));
  }
  return Object.fromEntries(places);
}

function exportIssues(places: Readonly<Record<string, Position>>, known: readonly string[]): ProgramIssue[] {
  return Object.entries(places)
    .filter(([name]) => !known.includes(name))
    .map(([name, place]) => {
      const near = nearestName(name, known);
      const hint = near === undefined ? `a program exports ${known.join(', ')}.` : `did you mean \`${near}\`?`;
      return { ...place, detail: `\`${name}\` is not a valid export; ${hint}` };
    });
}

/** Divides what the exports are into JSON texts and issues. A function stays out of the values. */
function valuesOf(
  found: Readonly<Record<string, string>>,
  places: Readonly<Record<string, Position>>,
): Pick<CheckDone, 'values' | 'issues'> {
  const values: Record<string, string> = {};
  const issues: ProgramIssue[] = [];
  for (const [name, text] of Object.entries(found)) {
    const place = places[name] ?? { line: 1, column: 1 };
    if (text === 'function') values[name] = 'function';
    else if (text.startsWith('+')) values[name] = text.slice(1);
    else
      issues.push({
        ...place,
        detail: `The export \`${name}\` must be plain JSON, and it ${text.startsWith('-') ? text.slice(1) : 'throws while it is read'}.`,
      });
  }
  return { values, issues };
}

/** A detail that begins with its place, divided. */
function placed(detail: string): ProgramIssue {
  const [, line, column, words] = /^Line (\d+), column (\d+): (.*)$/s.exec(detail) ?? [];
  return { line: Number(line ?? 1), column: Number(column ?? 1), detail: words ?? detail };
}
