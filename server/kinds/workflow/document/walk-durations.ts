// The durations and retry policies of a document, with their pointers in it.
import { isJsonObject } from '../../../../shared/json.ts';
import { type Duration, parseDuration } from '../../../lib/duration.ts';
import { wholeExpression } from '../../../lib/jq/index.ts';
import { escapeToken } from '../../../lib/json-pointer.ts';
import type { RetryPolicy, Timeout } from './dsl.ts';
import type { PlacedDuration } from './placed.ts';
import type { Walk } from './walk.ts';

/** Every duration of a document, but for its schedule's, of which other rules hold. */
export function durationsOf({ document, steps }: Walk): PlacedDuration[] {
  const found: PlacedDuration[] = [];
  const add = (duration: Duration | undefined, pointer: string): void => {
    if (duration !== undefined) found.push({ duration, pointer });
  };
  const addTimeout = (timeout: Timeout | string | undefined, pointer: string): void => {
    if (typeof timeout === 'object') add(timeout.after, `${pointer}/after`);
  };
  addTimeout(document.timeout, '/timeout');
  for (const [name, timeout] of Object.entries(document.use?.timeouts ?? {})) {
    addTimeout(timeout, `/use/timeouts/${escapeToken(name)}`);
  }
  for (const { policy, pointer } of retriesOf({ document, steps })) {
    add(policy.delay, `${pointer}/delay`);
    add(policy.limit?.duration, `${pointer}/limit/duration`);
    add(policy.limit?.attempt?.duration, `${pointer}/limit/attempt/duration`);
    add(maximumOf(policy), `${pointer}/backoff/exponential/maximum`);
    add(policy.jitter?.from, `${pointer}/jitter/from`);
    add(policy.jitter?.to, `${pointer}/jitter/to`);
  }
  for (const { task, descriptor, pointer } of steps) {
    addTimeout(task.timeout, `${pointer}/timeout`);
    found.push(...(descriptor.durations?.({ task, pointer }) ?? []));
  }
  return found;
}

/** A rule of its own refuses what is no duration at all. */
function maximumOf({ backoff }: RetryPolicy): Duration | undefined {
  const maximum = backoff !== undefined && 'exponential' in backoff ? backoff.exponential.maximum : undefined;
  return maximum !== undefined && isDuration(maximum) ? maximum : undefined;
}

/** Whether it has the form of a duration; it may still be too long. */
export function isDuration(value: unknown): value is Duration {
  if (typeof value === 'string') return isExpression(value) || parseDuration(value) !== undefined;
  return isJsonObject(value) && Object.keys(value).length > 0 && parseDuration(value) !== undefined;
}

interface PlacedPolicy {
  policy: RetryPolicy;
  pointer: string;
  /** The variable that holds the error; absent for a named policy, which several catches may use. */
  variable?: string;
}

/** Retry policies, named and where they are used. */
export function retriesOf({ document, steps }: Pick<Walk, 'document' | 'steps'>): PlacedPolicy[] {
  const named = Object.entries(document.use?.retries ?? {}).map(([name, policy]) => ({
    policy,
    pointer: `/use/retries/${escapeToken(name)}`,
  }));
  const own = steps.flatMap(({ task, descriptor, pointer: at }) => {
    const placed = descriptor.retry?.({ task, pointer: at });
    if (placed === undefined || typeof placed.retry === 'string') return [];
    return [{ policy: placed.retry, pointer: placed.pointer, variable: placed.variable }];
  });
  return [...named, ...own];
}

export function isExpression(value: unknown): boolean {
  return typeof value === 'string' && wholeExpression(value) !== undefined;
}
