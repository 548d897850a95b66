import type { Json } from '../../../../shared/json.ts';

/** What an evaluation has beside its input. */
export interface EvaluationContext {
  readonly variables: Readonly<Record<string, Json>>;
  /** How much it may still do. */
  work: number;
}

/** A unit is one result of a generator, one item copied or compared: some ten to fifty nanoseconds. */
export const MOST_WORK = 100_000;
/** UTF-16 code units of a text that is built. */
export const MOST_TEXT = 1024 * 1024;

/** Counts work, so that an evaluation holds the main thread for some milliseconds at most; then it is jq's. */
export function spend(scope: EvaluationContext, work: number): void {
  scope.work -= work;
  if (scope.work < 0) throw unsupported();
}

// How the subset gives up: what it is not sure of is jq's.

/** The expression, or what it does with this input, belongs to jq. */
export class Unsupported extends Error {}

const IT: Unsupported = new Unsupported('left to jq');

/** Always the same object: a stack trace would cost more than most evaluations. */
export function unsupported(): Unsupported {
  return IT;
}
