// The constants of a program that keeps a view: what its top level declares.
//
// A view does not depend on where batches begin, so nothing at the top level may change after the module was
// evaluated. The sandbox freezes the values; what it cannot see, variables behind functions, is refused by its form.
import { type AnyNode, parse, type Pattern, type Program } from 'acorn';
import { base, simple } from 'acorn-walk';
import type { Position, ProgramIssue } from './job.ts';

/** What the sandbox found of the constants, by name. */
export type Constants = Record<string, FoundConstant>;

interface FoundConstant {
  /** What is no plain data, in words, or empty. */
  what: string;
  isFunction: boolean;
  /** Whether a member of it, or of what it holds, is a function. */
  holdsFunction: boolean;
}

/** The export under which a program hands its constants to the sandbox. No program has it: exports are known. */
export const CONSTANTS = 'cuebook$constants';

export function parseProgram(program: string): Program {
  return parse(program, { ecmaVersion: 2023, sourceType: 'module', locations: true });
}

/** The program with an export that holds all its constants, behind its last line. */
export function withConstants(program: string, tree: Program): string {
  return `${program}\n;export const ${CONSTANTS} = { ${[...constantPlaces(tree).keys()].join(', ')} };\n`;
}

/** What the form of a program says against its being constant. */
export function variableIssues(tree: Program): ProgramIssue[] {
  const issues: ProgramIssue[] = [];
  const refuse = (node: AnyNode, detail: string): void => void issues.push({ ...placeOf(node), detail });
  for (const node of tree.body) {
    const { kind } = declarationOf(node) ?? {};
    if (kind === 'let') refuse(node, `A top-level \`let\` would be another one in each batch of events; ${KEEP}`);
  }
  atLoad(tree, (node) => {
    if (node.type === 'VariableDeclaration' && node.kind === 'var') {
      refuse(node, `A top-level \`var\` would be another one in each batch of events; ${KEEP}`);
    }
    if (node.type === 'PropertyDefinition' && node.static && node.key.type === 'PrivateIdentifier') {
      refuse(node, `A static private field can change between events; ${KEEP}`);
    }
  });
  simple(tree, {
    Identifier(node) {
      if (node.name === 'Proxy')
        refuse(node, 'A program that keeps a view has no `Proxy`, which could hide a variable.');
    },
  });
  return issues;
}

const KEEP = 'use `const`, and keep in the state what changes.';

/** What the values of the constants say against it. */
export function constantIssues(tree: Program, constants: Constants): ProgramIssue[] {
  const calls = callsAtLoad(tree);
  return [...constantPlaces(tree)].flatMap(([name, place]) => {
    const { what = '', isFunction = false, holdsFunction = false } = constants[name] ?? {};
    if (what !== '') {
      const detail = `\`${name}\` holds ${what}: it could change between events. Only plain data, functions, classes and regular expressions without g and y stand at the top level; ${KEEP}`;
      return [{ ...place, detail }];
    }
    const isMade = isFunction && calls.has(name) && !isWritten(tree, name);
    if (isMade || (holdsFunction && (calls.has(name) || calls.has(LOOSE)))) {
      const detail = `\`${name}\` holds a function beside a call at the top level: such a function may keep a variable of its own. Write the function where it stands, without calling anything.`;
      return [{ ...place, detail }];
    }
    return [];
  });
}

/** Stands for statements that declare nothing. */
const LOOSE = '';

/** The declarations in which something is called while the module is evaluated. */
function callsAtLoad(tree: Program): Set<string> {
  const found = new Set<string>();
  for (const node of tree.body) {
    const declaration = declarationOf(node);
    const parts = declaration === undefined ? [{ names: [LOOSE], of: node }] : declaration.parts;
    for (const { names, of } of parts) {
      atLoad(of, ({ type }) => {
        if (type === 'CallExpression' || type === 'NewExpression' || type === 'TaggedTemplateExpression') {
          for (const name of names) found.add(name);
        }
      });
    }
  }
  return found;
}

/** Whether a function or class stands there under its name, and not what something else gave. */
function isWritten(tree: Program, name: string): boolean {
  const parts = tree.body.flatMap((node) => declarationOf(node)?.parts ?? []);
  const of = parts.find(({ names }) => names.includes(name))?.of;
  const made = of?.type === 'VariableDeclarator' ? of.init : of;
  return made?.type.startsWith('Class') === true || /Function/.test(made?.type ?? '');
}

/** Where each name of the top level stands. */
function constantPlaces(tree: Program): Map<string, Position> {
  const places = new Map<string, Position>();
  for (const node of tree.body) {
    for (const { names, of } of declarationOf(node)?.parts ?? []) {
      for (const name of names) places.set(name, placeOf(of));
    }
  }
  return places;
}

interface Declaration {
  kind: string;
  parts: { names: string[]; of: AnyNode }[];
}

function declarationOf(node: Program['body'][number]): Declaration | undefined {
  const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
  if (declared?.type === 'VariableDeclaration') {
    const parts = declared.declarations.map((of) => ({ names: namesOf(of.id), of }));
    return { kind: declared.kind, parts };
  }
  if (declared?.type !== 'FunctionDeclaration' && declared?.type !== 'ClassDeclaration') return undefined;
  return { kind: declared.type, parts: [{ names: [declared.id.name], of: declared }] };
}

function namesOf(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((one) => namesOf(one.type === 'RestElement' ? one.argument : one.value));
    case 'ArrayPattern':
      return pattern.elements.flatMap((one) => (one === null ? [] : namesOf(one)));
    case 'RestElement':
      return namesOf(pattern.argument);
    case 'AssignmentPattern':
      return namesOf(pattern.left);
    default:
      return [];
  }
}

type Step = (node: AnyNode, state: unknown, as?: string) => void;

/** Visits what is evaluated with the module: what stands in functions is not, but for static parts of classes. */
function atLoad(root: AnyNode, visit: (node: AnyNode) => void): void {
  const walker: Record<string, (node: AnyNode, state: unknown, next: Step) => void> = {
    ...(base as typeof walker),
    Function: () => {},
    PropertyDefinition(node, state, next) {
      if (node.type !== 'PropertyDefinition') return;
      if (node.computed) next(node.key, state);
      if (node.static && node.value) next(node.value, state);
    },
  };
  const step: Step = (node, state, as) => {
    if (as === undefined) visit(node);
    walker[as ?? node.type]?.(node, state, step);
  };
  step(root, undefined);
}

function placeOf({ loc }: AnyNode): Position {
  return { line: loc?.start.line ?? 1, column: (loc?.start.column ?? 0) + 1 };
}
