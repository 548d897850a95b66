// Answers what the engine asks for, until it has decided.
import { createYielder } from '../../lib/event-loop.ts';
import type { Asking, Request } from './engine/index.ts';

export type AnswerRequest = (request: Request) => unknown;

/**
 * Answers that are there at once are given at once: most expressions are, and a run has many. Everything else has its turn
 * between two of them.
 */
export async function drive<Result>(asking: Asking<Result>, answer: AnswerRequest): Promise<Result> {
  const turn = createYielder();
  let step = asking.next();
  while (step.done !== true) {
    const answered = answer(step.value);
    step = asking.next(answered instanceof Promise ? await answered : answered);
    const wait = turn();
    if (wait !== undefined) await wait;
  }
  return step.value;
}
