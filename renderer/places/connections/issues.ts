import type { Issue } from '../../../shared/issues.ts';
import { ProblemError } from '../../api/problem-error.ts';

export interface Issues {
  /** What is wrong at a field. */
  at: (pointer: string) => string | undefined;
  /** What is wrong at a field or anywhere inside of it. */
  within: (pointer: string) => string | undefined;
  /** Whether every issue stands at one of these fields or inside of it, so that nothing else need be said. */
  areAllWithin: (pointers: readonly string[]) => boolean;
}

/** What the service found wrong in what it was sent, to be said where it was written. */
export function issuesOf(error: unknown): Issues {
  const issues = told(error);
  const isWithin = (issue: Issue, pointer: string): boolean =>
    issue.pointer === pointer || issue.pointer.startsWith(`${pointer}/`);
  return {
    at: (pointer) => issues.find((issue) => issue.pointer === pointer)?.detail,
    within: (pointer) => issues.find((issue) => isWithin(issue, pointer))?.detail,
    areAllWithin: (pointers) =>
      issues.length > 0 && issues.every((issue) => pointers.some((pointer) => isWithin(issue, pointer))),
  };
}

function told(error: unknown): readonly Issue[] {
  if (!(error instanceof ProblemError)) return [];
  const { problemName, problem } = error;
  if (problem.errors !== undefined) return problem.errors;
  // The name is the one thing that can be in conflict, beside the number of connections.
  return problemName === 'conflict' && problem.kind === undefined ? [{ pointer: '/name', detail: problem.detail }] : [];
}

/** A name as one part of a JSON Pointer. */
export function part(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
