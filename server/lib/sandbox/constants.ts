// The constants of a program that keeps a view: what its top level declares.
//
// A view does not depend on where batches begin, so nothing at the top level may change after the module was
// evaluated. The sandbox freezes the values; what it cannot see, variables behind functions, is kept out by where a
// function is written: at the top level itself there is no variable around it but the module's own.
import { type AnyNode, parse, type Pattern, type Program, type PropertyDefinition } from 'acorn';
import { base, simple } from 'acorn-walk';
import type { Position, ProgramIssue } from './job.ts';

/** What the sandbox found of the constants, by name. */
export type Constants = Record<string, FoundConstant>;

interface FoundConstant {
  /** What is no plain data, in words, or empty. */
  what: string;
  /** Where in the program the functions stand that it is or holds; lines and columns from 1. */
  functions: [line: number, column: number][];
}

/** The exports under which a program hands its constants to the sandbox. No program has them: exports are known. */
export const CONSTANTS = 'cuebook$constants';
/** Gives what functions and classes are declared: their names can be given another value, and may not be. */
export const DECLARED = 'cuebook$declared';

export function parseProgram(program: string): Program {
  return parse(program, { ecmaVersion: 2023, sourceType: 'module', locations: true });
}

/** The program with exports of its constants, behind its last line. */
export function withConstants(program: string, tree: Program): string {
  const declared = tree.body.flatMap((node) => {
    const { kind, parts } = declarationOf(node) ?? {};
    return kind === 'FunctionDeclaration' || kind === 'ClassDeclaration'
      ? (parts?.flatMap(({ names }) => names) ?? [])
      : [];
  });
  const constants = [...constantPlaces(tree).keys()].join(', ');
  return `${program}\n;export const ${CONSTANTS} = { ${constants} }, ${DECLARED} = () => [${declared.join(', ')}];\n`;
}

/** What the form of a program says against its being constant. */
export function variableIssues(tree: Program): ProgramIssue[] {
  const issues: ProgramIssue[] = [];
  const refuse = (node: AnyNode, detail: string): void => void issues.push({ ...placeOf(node), detail });
  for (const node of tree.body) {
    const { kind } = declarationOf(node) ?? {};
    if (kind === 'let') refuse(node, `A top-level \`let\` would be reset with each batch of events; ${KEEP}`);
  }
  atLoad(tree, (node) => {
    if (node.type === 'VariableDeclaration' && node.kind === 'var') {
      refuse(node, `A top-level \`var\` would be reset with each batch of events; ${KEEP}`);
    }
    if (isPrivateField(node) && node.static) {
      refuse(node, `A static private field can change between events; ${KEEP}`);
    }
  });
  simple(tree, {
    Class(node) {
      // Its constructor puts the field on whatever the other class's constructor returns, also on a constant.
      const field = node.body.body.find(isPrivateField);
      if (field !== undefined && node.superClass) {
        refuse(field, `A private field of a class that extends another can change between events; ${KEEP}`);
      }
    },
    Identifier(node) {
      if (node.name === 'Proxy')
        refuse(node, '`Proxy` is not available in recall functions, because it could hide a variable.');
    },
  });
  return issues;
}

function isPrivateField(node: AnyNode): node is PropertyDefinition {
  return node.type === 'PropertyDefinition' && node.key.type === 'PrivateIdentifier';
}

const KEEP = 'use `const`, and keep what changes in the state.';

/** What the values of the constants say against it. */
export function constantIssues(program: string, tree: Program, constants: Constants): ProgramIssue[] {
  const lines = program.split('\n');
  // The sandbox counts characters, and the parser UTF-16 units.
  const offsetOf = ([line, column]: [number, number]): number => {
    const before = Array.from(lines[line - 1] ?? '').slice(0, column - 1);
    return [...lines.slice(0, line - 1), before.join('')].join('\n').length;
  };
  const written = writtenFunctions(tree);
  const isWritten = (at: number): boolean => written.some(({ from, to }) => from <= at && at <= to);

  return [...constantPlaces(tree)].flatMap(([name, place]) => {
    const { what = '', functions = [] } = constants[name] ?? {};
    if (what !== '') {
      const detail = `\`${name}\` contains ${what}: it could change between events. Only plain data, functions, classes and regular expressions without g and y are allowed at the top level; ${KEEP}`;
      return [{ ...place, detail }];
    }
    if (functions.map(offsetOf).every(isWritten)) return [];
    const detail = `\`${name}\` contains a function that is defined inside another function or a block, so it could keep variables of its own. Define the function at the top level.`;
    return [{ ...place, detail }];
  });
}

/** Statements that may have variables of their own. */
const BLOCKS = ['BlockStatement', 'StaticBlock', 'ForStatement', 'ForInStatement', 'ForOfStatement', 'SwitchStatement'];

/** Where the sandbox sees those functions and classes begin that have no variables around them but the module's. */
function writtenFunctions(tree: Program): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  const visit = (node: AnyNode): void => {
    if (/Function/.test(node.type)) found.push({ from: node.start, to: node.start });
    // A class without a constructor of its own gets one at its end.
    if (node.type.startsWith('Class')) found.push({ from: node.end - 1, to: node.end - 1 });
    // Before its name stand words such as `static` and `async`.
    if (node.type === 'MethodDefinition' || node.type === 'Property')
      found.push({ from: node.start, to: node.key.start });
  };
  atLoad(tree, visit, [...BLOCKS, 'CatchClause']);
  return found;
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

type WalkNode = (node: AnyNode, state: unknown, as?: string) => void;

/**
 * Visits what is evaluated with the module: what stands in functions is not, but for static parts of classes.
 * @param not types of nodes that are not entered
 */
function atLoad(root: AnyNode, visit: (node: AnyNode) => void, not: readonly string[] = []): void {
  const walker: Record<string, (node: AnyNode, state: unknown, next: WalkNode) => void> = {
    ...(base as typeof walker),
    ...Object.fromEntries(not.map((type) => [type, () => {}])),
    Function: () => {},
    PropertyDefinition(node, state, next) {
      if (node.type !== 'PropertyDefinition') return;
      if (node.computed) next(node.key, state);
      if (node.static && node.value) next(node.value, state);
    },
  };
  const step: WalkNode = (node, state, as) => {
    if (as === undefined) visit(node);
    walker[as ?? node.type]?.(node, state, step);
  };
  step(root, undefined);
}

function placeOf({ loc }: AnyNode): Position {
  return { line: loc?.start.line ?? 1, column: (loc?.start.column ?? 0) + 1 };
}
