// Durations and time limits of steps.
import type { Timeout } from '../document/dsl.ts';
import type { ExpressionContext, Work } from './model.ts';
import type { Json, JsonObject } from '../../../../shared/json.ts';
import { addDuration, type Duration, parseDuration } from '../../../lib/duration.ts';
import { type Fault, fault } from './faults.ts';
import { type Frame, ROOT } from './frames.ts';
import type { Asking } from './requests.ts';
import { fill } from './values.ts';
import { startTimer } from './work.ts';

/** When a duration that begins now is over, in milliseconds since 1970. @throws Fault `configuration` 400 */
export function* endOf(work: Work, context: ExpressionContext, duration: Duration, on: Json): Asking<number> {
  const value = yield* fill(work, context, duration, on);
  const parsed = typeof value === 'string' || isObject(value) ? parseDuration(value) : undefined;
  if (parsed === undefined) {
    throw fault('configuration', 400, `${JSON.stringify(value)?.slice(0, 200)} ${whyNoDuration(value)}`);
  }
  return addDuration(work.facts.now, parsed);
}

function whyNoDuration(value: Json): string {
  const isNegative = isObject(value)
    ? Object.values(value).some((member) => typeof member === 'number' && member < 0)
    : /^\s*(?:-\s*P|P.*-\s*\d)/i.test(String(value)) || Number(value) < 0;
  return isNegative
    ? 'is negative, and a duration is 0 or more; for a time that may have passed, write { seconds: ${ [.left, 0] | max } }.'
    : 'is not a duration; write PT30S or { seconds: 30 }.';
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** When the step must be done, or undefined where nothing bounds it. */
export function* timeLimit(work: Work, context: ExpressionContext & { input: Json }): Asking<number | undefined> {
  const timeout = timeoutOf(work, context.step?.task.timeout);
  return timeout === undefined ? undefined : yield* endOf(work, context, timeout.after, context.input);
}

/** A timeout, inline or by its name in the document. */
export function timeoutOf(work: Work, timeout: Timeout | string | undefined): Timeout | undefined {
  return typeof timeout === 'string' ? work.plan.document.use?.timeouts?.[timeout] : timeout;
}

/** Starts the timer that bounds a frame's step. */
export function boundTime(work: Work, frame: Frame, limit: number | undefined): void {
  if (limit === undefined) return;
  frame.timeout = startTimer(work, limit, { frame: frame.id, for: frame.id === ROOT ? 'workflow' : 'timeout' });
}

/** @param reference of the step; empty: the workflow itself */
export function timedOut(reference: string): Fault {
  const what = reference === '' ? 'the workflow' : reference;
  return fault('timeout', 408, `The timeout of ${what} expired.`, {
    more: { instance: reference },
  });
}
