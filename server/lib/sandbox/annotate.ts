// Gives the parameters of a program's exported functions their types, where their author gave none, and empty objects
// that are filled later the freedom that JavaScript gives them.
import type { AnyNode, Function as FunctionNode, Program } from 'acorn';
import { full } from 'acorn-walk';
import type { Insertion } from './job.ts';

/**
 * Where types are inserted so that the exported functions are typed, and `const counts = {}` takes any member, in order.
 * Nothing where they are typed already.
 * @param parameters the types of their parameters, by the name of the export
 */
export function insertionsOf(
  tree: Program,
  source: string,
  parameters: Readonly<Record<string, readonly string[]>>,
): Insertion[] {
  const ofFunctions = Object.entries(parameters).flatMap(([name, types]) => {
    const made = functionOf(tree, exportedAs(tree, name));
    return made === undefined ? [] : insertionsFor(made, types, source);
  });
  return [...ofFunctions, ...insertionsForEmpty(tree, source)].toSorted((a, b) => a.at - b.at);
}

/** What an object is that is filled member by member: any, as far as the types of its members are concerned. */
export const FREE_OBJECT = 'Record<string, any>';

/** TypeScript takes an empty object for one that stays empty. */
function insertionsForEmpty(tree: Program, source: string): Insertion[] {
  const found: Insertion[] = [];
  full(tree, (node) => {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return;
    if (node.init?.type !== 'ObjectExpression' || node.init.properties.length > 0) return;
    const isTyped =
      !/^\s*=/.test(source.slice(node.id.end)) || /^\s*(?:as|satisfies)\b/.test(source.slice(node.init.end));
    if (!isTyped) found.push({ at: node.id.end, text: `: ${FREE_OBJECT}` });
  });
  return found;
}

/** What stands under the name of an export. */
function exportedAs(tree: Program, name: string): AnyNode | undefined {
  for (const node of tree.body) {
    if (node.type === 'ExportDefaultDeclaration' && name === 'default') return node.declaration;
    if (node.type !== 'ExportNamedDeclaration') continue;
    const { declaration } = node;
    if (declaration?.type === 'VariableDeclaration') {
      const declared = declaration.declarations.find(({ id }) => id.type === 'Identifier' && id.name === name);
      if (declared?.init) return declared.init;
    } else if (declaration?.id.name === name) return declaration;
    const specifier = node.specifiers.find(({ exported }) => exported.type === 'Identifier' && exported.name === name);
    if (specifier !== undefined) return specifier.local;
  }
  return undefined;
}

/** The source with the insertions made, and the way back: an offset in it as an offset in the author's source. */
export function annotated(
  source: string,
  insertions: readonly Insertion[],
): { text: string; sourceOffset: (offset: number) => number } {
  let text = source;
  for (const { at, text: inserted } of insertions.toReversed()) text = text.slice(0, at) + inserted + text.slice(at);
  return {
    text,
    sourceOffset(offset) {
      let before = 0;
      for (const { at, text: inserted } of insertions) {
        if (at + before >= offset) break;
        before += Math.min(inserted.length, offset - at - before);
      }
      return offset - before;
    },
  };
}

/** The function that a default export is, itself or by its name. */
function functionOf(tree: Program, exported: AnyNode | undefined): FunctionNode | undefined {
  if (exported === undefined) return undefined;
  if (
    exported.type === 'FunctionDeclaration' ||
    exported.type === 'FunctionExpression' ||
    exported.type === 'ArrowFunctionExpression'
  ) {
    return exported;
  }
  if (exported.type !== 'Identifier') return undefined;
  for (const node of tree.body) {
    if (node.type === 'FunctionDeclaration' && node.id.name === exported.name) return node;
    if (node.type !== 'VariableDeclaration') continue;
    for (const { id, init } of node.declarations) {
      if (id.type === 'Identifier' && id.name === exported.name && init) return functionOf(tree, init);
    }
  }
  return undefined;
}

function insertionsFor({ params, type }: FunctionNode, types: readonly string[], source: string): Insertion[] {
  const [first] = params;
  if (first !== undefined && type === 'ArrowFunctionExpression' && /^\s*=>/.test(source.slice(first.end))) {
    return [
      { at: first.start, text: '(' },
      { at: first.end, text: `: ${types[0] ?? 'any'})` },
    ];
  }
  return params.flatMap((param, index) => {
    const named = types[index];
    const bound = param.type === 'AssignmentPattern' ? param.left : param;
    if (named === undefined || bound.type === 'RestElement' || /^\s*[?:]/.test(source.slice(bound.end))) return [];
    return [{ at: bound.end, text: `: ${named}` }];
  });
}
