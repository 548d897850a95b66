import type { DocumentGraph } from '../../shared/api/index.ts';

/** The last step that begins at or before a line. */
export function stepAt({ nodes }: DocumentGraph, line: number | undefined): string | undefined {
  if (line === undefined) return undefined;
  return nodes
    .filter((node) => node.type !== 'start' && node.type !== 'end' && node.line <= line)
    .toSorted((a, b) => a.line - b.line)
    .at(-1)?.id;
}
