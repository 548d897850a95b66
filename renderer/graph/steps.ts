import type { LucideIcon } from 'lucide-react';
import type { DocumentGraph } from '../../shared/api/index.ts';

/** The state of a step in a run. */
export interface StepState {
  icon: LucideIcon;
  colour: string;
  word: string;
}

/** The last step that begins at or before a line. */
export function stepAt({ nodes }: DocumentGraph, line: number | undefined): string | undefined {
  if (line === undefined) return undefined;
  return nodes
    .filter((node) => node.type !== 'start' && node.type !== 'end' && node.line <= line)
    .toSorted((a, b) => a.line - b.line)
    .at(-1)?.id;
}

/** The summary of a step, without the backticks of its Markdown. */
export function plainSummary(summary: string): string {
  return summary.replaceAll('`', '');
}
