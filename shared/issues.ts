/** What is wrong with a value, and where. */
export interface Issue {
  /** A JSON Pointer (RFC 6901) into what the caller sent. */
  pointer: string;
  /** One sentence: what is wrong and what to write instead. */
  detail: string;
  /**
   * On the last issue of a list that was cut: how many issues it stands for, itself included. Never sent to callers.
   */
  standsFor?: number;
}

/** The number of issues in a list, including those that were cut off. */
export function countIssues(issues: readonly Issue[]): number {
  return issues.reduce((count, { standsFor = 1 }) => count + standsFor, 0);
}

/** An issue of a definition's source. */
export interface SourceIssue extends Issue {
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 code units. */
  column: number;
}

/** An issue with its location, for readers who do not see the pointer; messages about a program contain theirs. */
export function placedWords({ line, column, detail }: SourceIssue): string {
  return detail.startsWith('Line ') ? detail : `Line ${line}, column ${column}: ${detail}`;
}
