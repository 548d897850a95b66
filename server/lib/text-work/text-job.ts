// What a worker of text work carries out: a plain function of one argument that answers an object. Both are copied between
// threads. It stands in a `NAME.job.ts` beside the code that needs it, and only a worker loads it.

export interface TextJob<Input, Answer extends object> {
  /** The module that exports the function. */
  module: URL;
  /** The name of its export. */
  name: string;
  /** How much processor time it may take, in milliseconds, once it is loaded. */
  deadlineMs: number;
  /** Never set: the type of the function. */
  carryOut?: (input: Input) => Answer;
}

/** Describes the job whose function has the type `Carrying`. */
export function textJob<Carrying extends (input: never) => object>(
  job: Pick<TextJob<never, object>, 'module' | 'name' | 'deadlineMs'>,
): TextJob<Parameters<Carrying>[0], ReturnType<Carrying>> {
  return job;
}
