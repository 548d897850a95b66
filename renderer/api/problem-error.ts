import type { Problem } from '../../shared/api/index.ts';

/** The service refused the request with a problem document. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = 'ProblemError';
    this.problem = problem;
  }

  /** The name of the problem: the last segment of its type. */
  get problemName(): string {
    return this.problem.type.split('/').at(-1) ?? '';
  }
}

/** What is wrong with one field of a refused request. @param pointer the field, as a JSON Pointer */
export function issueAt(error: unknown, pointer: string): string | undefined {
  if (!(error instanceof ProblemError)) return undefined;
  return error.problem.errors?.find((one) => one.pointer === pointer)?.detail;
}

/** No response was received from the service. */
export class UnreachableError extends Error {
  /** True for a request that only reads: it is retried automatically. The person must repeat any other request. */
  readonly isRead: boolean;

  constructor(isRead: boolean) {
    super('The service is not responding.');
    this.isRead = isRead;
    this.name = 'UnreachableError';
  }
}
