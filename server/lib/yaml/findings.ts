import type { SourceIssue } from '../../../shared/issues.ts';
import { type SourcePositions, sourceIssue } from './positions.ts';
import type { ValueWarning } from './value-warnings.ts';

/** What the checks of a document find. Pointers are into the document. */
export interface Findings {
  /**
   * Something for which the document is not taken.
   * @param detail the sentence, or what makes it where that takes a while: it is called only for findings that are reported
   * @param at whether the name or the value of the member is meant
   */
  error: (pointer: string, detail: Sentence, at?: 'key' | 'value') => void;
  /** Something that is taken and was perhaps not meant. */
  warn: (pointer: string, detail: Sentence, at?: 'key' | 'value') => void;
  readonly issues: readonly SourceIssue[];
  readonly warnings: readonly SourceIssue[];
}

type Sentence = string | (() => string);

/** As many as a person reads at once. */
export const MOST_FINDINGS = 20;

/** @param read the warnings of what read the source, which come first */
export function createFindings(positions: SourcePositions, read: readonly ValueWarning[] = []): Findings {
  const issues = new Map<string, SourceIssue>();
  const warnings = new Map<string, SourceIssue>();
  const add = (found: Map<string, SourceIssue>, pointer: string, sentence: Sentence, at?: 'key' | 'value'): void => {
    if (found.size >= MOST_FINDINGS) return;
    const detail = typeof sentence === 'string' ? sentence : sentence();
    const key = `${pointer}\n${detail}`;
    if (!found.has(key)) found.set(key, sourceIssue(positions, pointer, detail, at));
  };
  for (const { pointer, detail, at } of read) add(warnings, pointer, detail, at);
  return {
    error: (pointer, detail, at) => add(issues, pointer, detail, at),
    warn: (pointer, detail, at) => add(warnings, pointer, detail, at),
    get issues() {
      return inOrder(issues);
    },
    get warnings() {
      return inOrder(warnings);
    },
  };
}

function inOrder(found: ReadonlyMap<string, SourceIssue>): SourceIssue[] {
  return [...found.values()].toSorted((a, b) => a.line - b.line || a.column - b.column);
}
