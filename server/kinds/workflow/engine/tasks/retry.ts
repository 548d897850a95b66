// When a failed try is made again, by its policy.
import type { TryTask } from '../../document/tasks/try.ts';
import type { Backoff, RetryPolicy } from '../../document/dsl.ts';
import type { ExpressionContext, Work } from '../model.ts';
import { sha256 } from '../../../../lib/sha256.ts';
import type { Asking } from '../requests.ts';
import { endOf } from '../time.ts';
import { holds } from '../values.ts';
import { stepOf } from '../work.ts';
import type { Json } from '../../../../../shared/json.ts';

/** What a frame knows of its tries. */
interface TriedFrame {
  id: number;
  /** The step in the plan. */
  step: number;
  retries: number;
  /** In milliseconds since 1970. */
  firstTriedAt: number;
}

export function policyOf(work: Work, frame: TriedFrame): RetryPolicy | undefined {
  const { retry } = (stepOf(work, frame).task as TryTask).catch;
  return typeof retry === 'string' ? work.plan.document.use?.retries?.[retry] : retry;
}

/** When the next try begins, in milliseconds since 1970; undefined when the policy gives no more. */
export function* nextTry(
  work: Work,
  frame: TriedFrame,
  context: ExpressionContext & { input: Json },
): Asking<number | undefined> {
  const policy = policyOf(work, frame);
  if (policy === undefined) return undefined;
  const { when, exceptWhen, limit, delay, backoff, jitter } = policy;
  if (when !== undefined && !(yield* holds(work, context, when, context.input))) return undefined;
  if (exceptWhen !== undefined && (yield* holds(work, context, exceptWhen, context.input))) return undefined;
  if (limit?.attempt?.count !== undefined && frame.retries >= limit.attempt.count) return undefined;
  const { now } = work.facts;
  const delayed = delay === undefined ? 0 : (yield* endOf(work, context, delay, context.input)) - now;
  let wait = delayed === 0 ? 0 : delayed * factorOf(backoff, frame.retries + 1);
  if (backoff !== undefined && 'exponential' in backoff && backoff.exponential.maximum !== undefined) {
    wait = Math.min(wait, (yield* endOf(work, context, backoff.exponential.maximum, context.input)) - now);
  }
  if (jitter !== undefined) {
    const from = (yield* endOf(work, context, jitter.from, context.input)) - now;
    const to = (yield* endOf(work, context, jitter.to, context.input)) - now;
    wait += from + Math.max(0, to - from) * chance(work, frame);
  }
  const at = Math.min(now + Math.ceil(wait), LATEST);
  if (limit?.duration === undefined) return at;
  const span = (yield* endOf(work, context, limit.duration, context.input)) - now;
  return at - frame.firstTriedAt > span ? undefined : at;
}

/** The last moment that ISO 8601 texts of four-digit years can express. */
const LATEST = Date.UTC(9999, 11, 31);

/** By what the delay of the nth retry is multiplied; n counts from 1. */
function factorOf(backoff: Backoff | undefined, retry: number): number {
  if (backoff === undefined || 'constant' in backoff) return 1;
  return 'linear' in backoff ? retry : (backoff.exponential.factor ?? 2) ** (retry - 1);
}

/** A number from 0 to 1 that is the same whenever this retry is decided. */
function chance(work: Work, frame: TriedFrame): number {
  return Number.parseInt(sha256(`${work.facts.runId} ${frame.id} ${frame.retries}`).slice(0, 12), 16) / 2 ** 48;
}
