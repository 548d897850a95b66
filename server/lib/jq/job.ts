// The jobs of jq's workers and their answers: texts and numbers alone.

/** Whether an expression compiles. */
export interface CheckJob {
  kind: 'check';
  expression: string;
  /** Names, without `$`, that the expression may use. */
  variables: readonly string[];
}

/** What an expression comes to. */
export interface EvaluateJob {
  kind: 'evaluate';
  expression: string;
  variables: readonly string[];
  /** JSON text of a list: the input, then the variables' values in their order. */
  values: string;
  /** What `now` yields, in milliseconds since 1970. */
  now: number;
}

export type JqJob = CheckJob | EvaluateJob;

export interface JqReply {
  ok: boolean;
  /** JSON text of the list of at most two results; for a check nothing; else what went wrong. */
  text: string;
}
