// The jobs of jq's workers and their replies, which contain only strings and numbers.

/** Checks whether an expression compiles. */
export interface CheckJob {
  kind: 'check';
  expression: string;
  /** Names, without `$`, that the expression may use. */
  variables: readonly string[];
}

/** Evaluates an expression. */
export interface EvaluateJob {
  kind: 'evaluate';
  expression: string;
  variables: readonly string[];
  /** A JSON array: the input, then the values of the variables in order. */
  values: string;
  /** The result of `now`, in milliseconds since 1970. */
  now: number;
}

export type JqJob = CheckJob | EvaluateJob;

export interface JqReply {
  ok: boolean;
  /** A JSON array of at most two results; for a check an empty string; after a failure the message. */
  text: string;
}
