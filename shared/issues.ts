/** What is wrong with a value and where: `pointer` is an RFC 6901 JSON Pointer into what the caller sent. */
export interface Issue {
  pointer: string;
  /** One sentence: what is wrong and what to write instead. */
  detail: string;
}

/** An issue of a definition's source. `line` and `column` count from 1; a column counts UTF-16 code units. */
export interface SourceIssue extends Issue {
  line: number;
  column: number;
}
