// How the subset gives up: what it is not sure of is jq's.

/** The expression, or what it does with this input, belongs to jq. */
export class NotMine extends Error {}

const IT: NotMine = new NotMine('left to jq');

/** Always the same object: a stack trace would cost more than most evaluations. */
export function notMine(): NotMine {
  return IT;
}
