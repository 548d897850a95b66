import { conflict, invalidInput, type Refused } from '../../lib/rejection.ts';

/** The dataset that a build is to use does not fit. */
export function wrongDataset(detail: string): Refused {
  return invalidInput([{ pointer: '/input/build/dataset', detail }]);
}

export function notABuild(runId: string): Refused {
  return conflict(`The run ${runId} is not a build.`, 'not_a_build');
}

export function buildEnded(runId: string): Refused {
  return conflict(`The build ${runId} has its answer or has ended; start a new one.`, 'build_ended');
}
