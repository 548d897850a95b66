import type { Problem } from '../../shared/api/index.ts';

/** The service refused, and said why. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = 'ProblemError';
    this.problem = problem;
  }

  /** The problem's name: the last part of its type. */
  get problemName(): string {
    return this.problem.type.split('/').at(-1) ?? '';
  }
}

/** The service gave no answer. */
export class UnreachableError extends Error {
  /** Whether it was only asked to read: that is asked again by itself. What was to be done is for the person to send again. */
  readonly isOfReading: boolean;

  constructor(isOfReading: boolean) {
    super('The service does not answer.');
    this.isOfReading = isOfReading;
    this.name = 'UnreachableError';
  }
}
