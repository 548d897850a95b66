/** An error of jq's, to be caught by `?`. What it says is jq's to say: one that nothing catches is left to jq. */
export class Failure extends Error {}

const IT: Failure = new Failure('an error of jq');

/** Always the same object: a stack trace would cost more than most evaluations. */
export function failure(): Failure {
  return IT;
}
