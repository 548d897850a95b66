/** What is wrong with a value and where: `pointer` is an RFC 6901 JSON Pointer into what the caller sent. */
export interface Issue {
  pointer: string;
  /** One sentence: what is wrong and what to write instead. */
  detail: string;
  /** On the last of a list that was cut: how many issues it stands for, itself included. Never shown to callers. */
  standsFor?: number;
}

/** How many issues a list has, those that were cut off included. */
export function countIssues(issues: readonly Issue[]): number {
  return issues.reduce((count, { standsFor = 1 }) => count + standsFor, 0);
}

/** An issue of a definition's source. `line` and `column` count from 1; a column counts UTF-16 code units. */
export interface SourceIssue extends Issue {
  line: number;
  column: number;
}
