import type { ReactElement } from 'react';
import type { Issue } from '../../../shared/issues.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { InlineCode } from '../../ui/inline-code.tsx';

export interface Issues {
  /** The issues of a field. */
  at: (pointer: string) => ReactElement | undefined;
  /** The issues of a field and everything inside it. */
  within: (pointer: string) => ReactElement | undefined;
  /** Whether every issue belongs to one of these fields, so that no general message is needed. */
  areAllWithin: (pointers: readonly string[]) => boolean;
}

/** The issues of a rejected request, to show at their fields. */
export function issuesOf(error: unknown): Issues {
  const issues = issuesIn(error);
  const isWithin = (issue: Issue, pointer: string): boolean =>
    issue.pointer === pointer || issue.pointer.startsWith(`${pointer}/`);
  return {
    at: (pointer) => shown(issues.find((issue) => issue.pointer === pointer)),
    within: (pointer) => shown(issues.find((issue) => isWithin(issue, pointer))),
    areAllWithin: (pointers) =>
      issues.length > 0 && issues.every((issue) => pointers.some((pointer) => isWithin(issue, pointer))),
  };
}

function shown(issue: Issue | undefined): ReactElement | undefined {
  return issue && <InlineCode>{issue.detail}</InlineCode>;
}

function issuesIn(error: unknown): readonly Issue[] {
  if (!(error instanceof ProblemError)) return [];
  const { problemName, problem } = error;
  if (problem.errors !== undefined) return problem.errors;
  // Apart from the connection limit, only the name can be in conflict.
  return problemName === 'conflict' && problem.kind === undefined ? [{ pointer: '/name', detail: problem.detail }] : [];
}
