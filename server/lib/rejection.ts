import { countIssues, type Issue } from '../../shared/issues.ts';
import type { ProblemName, Reason } from '../../shared/problems.ts';
import { harmless } from './harmless.ts';
import { boundedIssues } from './bounded-issues.ts';

/** Why something was refused, in the domain's words; a status code is given to it at the edge alone. */
export interface Rejection {
  /** The contract's `reason`. */
  reason: Reason;
  kind?: string;
  because?: string;
  /** One or more sentences for the caller; never a secret. */
  detail: string;
  /** For `invalid_input`: everything that is wrong, at least one; of more than 50 the first, and how many there are. */
  issues?: readonly Issue[];
  /** Seconds after which the same request may succeed; only with `unavailable`. */
  retryAfter?: number;
}

/** A refusal on its way to the caller. Nothing was changed by what was refused, unless the rejection says so. */
export class Refused extends Error {
  readonly rejection: Rejection;
  /** The problem's name where it is not the reason itself (`rebuilding`, `origin_not_allowed`, ...). */
  readonly problem: ProblemName;
  /** Members that the problem document carries beside the standard ones. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Whether another credential, with more permissions, could succeed. */
  readonly needsPermission: boolean;

  constructor(
    rejection: Rejection,
    options: { problem?: ProblemName; members?: Record<string, unknown>; needsPermission?: boolean } = {},
  ) {
    const shown = harmlessRejection(rejection);
    super(shown.detail);
    this.name = 'Refused';
    this.rejection = shown;
    this.problem = options.problem ?? rejection.reason;
    this.members = options.members ?? {};
    this.needsPermission = options.needsPermission ?? false;
  }
}

/** Its sentences may quote names and messages of others, which must not change how they are read. */
export function harmlessRejection(rejection: Rejection): Rejection {
  const { detail, issues } = rejection;
  return {
    ...rejection,
    detail: harmless(detail),
    ...(issues === undefined ? {} : { issues: issues.map((issue) => ({ ...issue, detail: harmless(issue.detail) })) }),
  };
}

export function invalidInput(issues: readonly Issue[]): Refused {
  const [first] = issues;
  const more = issues.length > 1 ? ` ${moreIssuesWords(countIssues(issues) - 1)}` : '';
  return new Refused({
    reason: 'invalid_input',
    detail: first === undefined ? 'The input is not valid.' : `${first.detail}${more}`,
    issues: boundedIssues(issues),
  });
}

/** That there are so many other issues. */
export function moreIssuesWords(count: number): string {
  return count === 1 ? 'There is one more.' : `There are ${count} more.`;
}

export function notFound(detail: string): Refused {
  return new Refused({ reason: 'not_found', detail });
}

/** The caller lacks a permission. */
export function lacksPermission(detail: string): Refused {
  return new Refused({ reason: 'forbidden', detail }, { needsPermission: true });
}

/** A rule that no permission changes. */
export function forbidden(detail: string): Refused {
  return new Refused({ reason: 'forbidden', detail });
}

export function conflict(detail: string, kind?: string): Refused {
  return new Refused({ reason: 'conflict', detail, ...(kind === undefined ? {} : { kind }) });
}

export function badRequest(detail: string): Refused {
  return new Refused({ reason: 'bad_request', detail });
}

export function unavailable(
  detail: string,
  options: { kind?: string; because?: string; retryAfter?: number } = {},
): Refused {
  return new Refused({ reason: 'unavailable', detail, ...options });
}

/** An unexpected failure; the detail says where the operator finds the log entry. */
export function serviceFailed(): Refused {
  return new Refused({
    reason: 'internal',
    detail: 'The service failed; its log has the entry that `instance` names.',
  });
}
