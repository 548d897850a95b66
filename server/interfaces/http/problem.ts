// Only this file gives a refusal a status code and makes it a problem document (RFC 9457).
import { PROBLEM_BASE } from '../../../shared/product.ts';
import { type ProblemName, PROBLEMS } from '../../../shared/problems.ts';
import type { Problem } from '../../../shared/schemas/index.ts';
import type { Refused } from '../../lib/rejection.ts';

export interface ProblemAnswer {
  status: number;
  headers: Record<string, string>;
  body: Problem;
}

/** Rejections that waiting does not resolve; errors rule 3 of the contract. */
const NEVER_RETRY_KINDS = ['tools_unfinished', 'tool_not_offered', 'model_not_offered'];
const NEVER_RETRY_BECAUSE = ['builds_of_the_day', 'stalled', 'not_finite', 'not_in_order'];

/** @param instance a URI that identifies the log entry; only included with status 500 */
export function problemAnswer(refused: Refused, instance: string): ProblemAnswer {
  const { rejection, problem, members } = refused;
  const { reason, kind, because, detail, issues, retryAfter } = rejection;
  const { status, title } = PROBLEMS[problem];
  const mayRetry =
    reason === 'unavailable' &&
    retryAfter !== undefined &&
    !NEVER_RETRY_KINDS.includes(kind ?? '') &&
    !NEVER_RETRY_BECAUSE.includes(because ?? '');
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(mayRetry ? { 'retry-after': String(Math.max(1, Math.ceil(retryAfter))) } : {}),
    },
    body: {
      type: problemType(problem),
      title,
      status,
      detail,
      reason,
      ...(kind === undefined ? {} : { kind }),
      ...(because === undefined ? {} : { because }),
      ...(status === 500 ? { instance } : {}),
      ...(issues === undefined
        ? {}
        : { errors: issues.map((issue) => ({ detail: issue.detail, pointer: issue.pointer })) }),
      ...members,
    },
  };
}

function problemType(name: ProblemName): string {
  return `${PROBLEM_BASE}/${name}`;
}
