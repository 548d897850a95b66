import type { Json } from '../../../../shared/json.ts';

/** The context of an evaluation beside its input. */
export interface EvaluationContext {
  readonly variables: Readonly<Record<string, Json>>;
  /** The remaining work. */
  work: number;
}

/** A unit is one result of a generator, or one item copied or compared: about 10 to 50 nanoseconds. */
export const MOST_WORK = 100_000;
/** The maximum length of a built string, in UTF-16 code units. */
export const MOST_TEXT = 1024 * 1024;

/** Counts work. An evaluation that would block the main thread for more than a few milliseconds is left to jq. */
export function spend(scope: EvaluationContext, work: number): void {
  scope.work -= work;
  if (scope.work < 0) throw unsupported();
}

/** Thrown to leave an expression, or its evaluation for this input, to jq. */
export class Unsupported extends Error {}

const UNSUPPORTED: Unsupported = new Unsupported('left to jq');

/** Always the same object: a stack trace would cost more than most evaluations. */
export function unsupported(): Unsupported {
  return UNSUPPORTED;
}
