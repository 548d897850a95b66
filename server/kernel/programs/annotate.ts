// Gives the parameter of a program's default function its type, where its author gave none.
import type { AnyNode, Function as FunctionNode, Program } from 'acorn';
import type { Insertion } from './job.ts';

/** Where types are inserted so that the default function is typed, in order. Nothing where it is typed already. */
export function insertionsOf(tree: Program, source: string): Insertion[] {
  const exported = tree.body.find((node) => node.type === 'ExportDefaultDeclaration');
  const made = exported === undefined ? undefined : functionOf(tree, exported.declaration);
  return made === undefined ? [] : insertionsFor(made, source);
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
function functionOf(tree: Program, exported: AnyNode): FunctionNode | undefined {
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

function insertionsFor({ params: [first], type }: FunctionNode, source: string): Insertion[] {
  if (first === undefined) return [];
  const bound = first.type === 'AssignmentPattern' ? first.left : first;
  if (bound.type === 'RestElement' || /^\s*[?:]/.test(source.slice(bound.end))) return [];
  const isBare = type === 'ArrowFunctionExpression' && /^\s*=>/.test(source.slice(first.end));
  const annotation = { at: bound.end, text: isBare ? ': Input)' : ': Input' };
  return isBare ? [{ at: first.start, text: '(' }, annotation] : [annotation];
}
