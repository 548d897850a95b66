// Where the input of a step was recorded. History has the output of every step; the input of a step is the output of the
// step before it, or what the step sent: the input of the run that it called, or the arguments of its tool call.
import type { EventRecord } from '../../../shared/api/index.ts';
import { childrenOf } from './chosen-step.ts';
import type { Span } from './spans.ts';

export interface StepInput {
  /** The event that recorded it, and the member of its data. */
  event: EventRecord;
  member: 'input' | 'output' | 'arguments';
  /** Where it is from: the span that made it or received it. */
  from: Span;
  /** False if the step may still have changed it by its own `input.from`. */
  isExact: boolean;
}

/** The input of a span; undefined if the events do not show it. @param spans each after its parent */
export function inputOfStep(span: Span, spans: readonly Span[]): StepInput | undefined {
  if (span.kind === 'run') return memberOf(span, 'run_started', 'input', true);
  if (span.kind === 'tool') return memberOf(span, 'tool_call_started', 'arguments', true);
  if (span.kind === 'turn') return undefined;
  const [sent] = childrenOf(span, spans).filter(({ kind }) => kind === 'run' || kind === 'tool');
  const isCall = span.sort === 'call' || span.sort === 'run';
  return (isCall && sent !== undefined ? inputOfStep(sent, spans) : undefined) ?? received(span, spans);
}

function memberOf(from: Span, type: string, member: StepInput['member'], isExact: boolean): StepInput | undefined {
  const event = from.events.find((one) => one.type === type);
  return event && { event, member, from, isExact };
}

/** What flowed into a step: from the step before it in its list, or from the step around it. */
function received(span: Span, spans: readonly Span[]): StepInput | undefined {
  const { pointer } = span;
  const run = runOf(span);
  const steps = spans.filter((one) => one.kind === 'step' && one !== span && runOf(one) === run);
  const list = pointer?.replace(/\/\d+\/[^/]+$/, '');
  // Each event that a `listen` passes to its `foreach` is recorded elsewhere.
  if (pointer === undefined || list === undefined || list.includes('/foreach/')) return undefined;
  const parentPointer = /^(.*\/\d+\/[^/]+)\//.exec(list)?.[1];
  const begun = firstOf(span);
  const parent = steps.find((one) => one.pointer === parentPointer && (lastOf(one) > begun || one.end === undefined));
  // What a retry begins with is not the output of the try before it.
  const since = parent?.events.findLast(({ type, metadata }) => type === 'step_started' && metadata.position < begun);
  const before = steps.filter(
    (one) =>
      one.pointer?.replace(/\/\d+\/[^/]+$/, '') === list &&
      (one.state === 'finished' || one.state === 'skipped') &&
      lastOf(one) < begun &&
      firstOf(one) > (since?.metadata.position ?? 0),
  );
  const at = (iterations: readonly number[]): Span | undefined =>
    before
      .filter((one) => one.iterations.join() === iterations.join())
      .toSorted((one, other) => lastOf(one) - lastOf(other))
      .at(-1);
  const index = span.iterations.at(-1) ?? 0;
  const isBranch = list.endsWith('/fork/branches');
  const previous = isBranch
    ? undefined
    : (at(span.iterations) ?? (index > 0 ? at([...span.iterations.slice(0, -1), index - 1]) : undefined));
  if (previous !== undefined) {
    // A skipped step passes on what it received.
    return previous.state === 'skipped'
      ? received(previous, spans)
      : memberOf(previous, 'step_finished', 'output', false);
  }
  if (parentPointer !== undefined) return parent && received(parent, spans);
  const own = spans.find((one) => one.kind === 'run' && one.runId === run);
  return own && memberOf(own, 'run_started', 'input', false);
}

function runOf({ events }: Span): string | undefined {
  return events[0]?.metadata.run_id;
}

function firstOf({ events }: Span): number {
  return events[0]?.metadata.position ?? 0;
}

function lastOf({ events }: Span): number {
  return events.at(-1)?.metadata.position ?? 0;
}
