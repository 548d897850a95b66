// Carries out a computation in a worker of the sandbox.
import { LIMITS } from '../../../shared/limits.ts';
import type { EndPure } from '../burst/index.ts';
import { endProgram, seedOf } from '../program-ending.ts';

export const endPure: EndPure = async (called, { run }, schemas) => {
  const { source, isStripped, input, inputSha256, startedAt, outputSchema } = called;
  const ran = await run({
    source,
    isStripped,
    input: JSON.stringify(input),
    now: startedAt,
    seed: seedOf(input, inputSha256),
    outputBytes: LIMITS.computationOutputBytes,
  });
  return ran === undefined ? undefined : endProgram(ran, outputSchema, schemas);
};
