// How steps can end, as far as the document shows.
//
// 1. A list of steps is looked at once; what its steps hold is looked at within.
// 2. A list that can only go round counts, for what holds it, as one that stops: it is reported where it stands.
// 3. Each list's outcome is worked out once, until a function of it gains a way: lists nest, and would be looked at
//    twice as often with each level.
// 4. Functions start as ones with no way to end, and gain ways until none is found any more: what is left goes round.
import { COMPLETES, type FlowOutcome, type ListOutcome, NONE, STOPS } from '../tasks/descriptor.ts';
import { directivesOf, type Walk, type WalkedScope, type WalkedStep } from '../walk.ts';

/** What a step can lead to: another step of its scope by its index, or out of it. */
export type NextTarget = number | 'exit' | 'end' | 'stop';

export interface Flow {
  /** By the name of each function. */
  functions: ReadonlyMap<string, FlowOutcome>;
  nextTargetsOf: (step: WalkedStep) => NextTarget[];
}

export function flowOf(walked: Walk): Flow {
  const functions = new Map<string, FlowOutcome>([...walked.functions.keys()].map((name) => [name, NONE]));
  const known = new Map<WalkedScope, FlowOutcome>();

  function scopeOutcome(scope: WalkedScope): FlowOutcome {
    const outcome = known.get(scope) ?? (scope.kind === 'branches' ? allOf(scope.steps) : inOrder(scope.steps));
    known.set(scope, outcome);
    return outcome;
  }

  function inOrder(steps: readonly WalkedStep[]): FlowOutcome {
    const ways = reach(steps, waysOf);
    const outcome = { completes: ways.has('exit'), ends: ways.has('end'), stops: ways.has('stop') };
    // Only a call of a function that has no way to end leads nowhere at all.
    const isStuck = [...ways].some((way) => typeof way === 'number' && leadsNowhere(steps[way]));
    return isSame(outcome, NONE) && !isStuck ? STOPS : outcome;
  }

  function leadsNowhere(step: WalkedStep | undefined): boolean {
    return step !== undefined && waysOf(step).length === 0;
  }

  function allOf(branches: readonly WalkedStep[]): FlowOutcome {
    const outcomes = branches.map(aloneOutcome);
    return {
      completes: outcomes.every(({ completes }) => completes),
      ends: outcomes.some(({ ends }) => ends),
      stops: outcomes.some(({ stops }) => stops),
    };
  }

  /** A step alone: the steps after it are not part of it. */
  function aloneOutcome(step: WalkedStep): FlowOutcome {
    const { completes, ends, stops } = taskOutcome(step);
    const isEnd = directivesOf(step).some(({ then }) => then === 'end');
    return { completes: completes || step.task.if !== undefined, ends: ends || (completes && isEnd), stops };
  }

  function listsOf({ bodies }: WalkedStep): ListOutcome[] {
    return bodies.map(({ scope }) => ({ ...scopeOutcome(scope), steps: () => scope.steps.map(aloneOutcome) }));
  }

  function taskOutcome(step: WalkedStep): FlowOutcome {
    const { task, descriptor } = step;
    if (descriptor.alwaysFails === true) return STOPS;
    const called = functions.get(descriptor.functionName?.(task) ?? '');
    if (called !== undefined) return called;
    const lists = listsOf(step);
    return descriptor.outcome?.(task, lists) ?? lists[0] ?? COMPLETES;
  }

  function waysOf(step: WalkedStep): NextTarget[] {
    const { task, descriptor } = step;
    const outcome = taskOutcome(step);
    const continuations = descriptor.continuations?.(task, listsOf(step)) ?? (outcome.completes ? [task.then] : []);
    const ways: NextTarget[] = [];
    if (task.if !== undefined) ways.push(nextTargetOf(step, undefined));
    if (outcome.ends) ways.push('end');
    if (outcome.stops) ways.push('stop');
    ways.push(...continuations.map((then) => nextTargetOf(step, then)));
    return ways;
  }

  const callers = callersOf(walked);
  const waiting = new Set(functions.keys());
  for (const name of waiting) {
    waiting.delete(name);
    const [step] = walked.functions.get(name)?.steps ?? [];
    if (step === undefined) continue;
    const outcome = aloneOutcome(step);
    if (isSame(outcome, functions.get(name))) continue;
    functions.set(name, outcome);
    known.clear();
    for (const caller of callers.get(name) ?? []) waiting.add(caller);
  }
  return { functions, nextTargetsOf: waysOf };
}

/** By the name of a function: the functions that call it. */
function callersOf({ functions, steps }: Walk): Map<string, Set<string>> {
  const callers = new Map<string, Set<string>>();
  const nameAt = new Map([...functions].map(([name, { pointer }]) => [pointer, name]));
  for (const { task, descriptor, pointer } of steps) {
    const called = descriptor.functionName?.(task);
    if (called === undefined || !functions.has(called)) continue;
    const caller = nameAt.get(pointer.split('/').slice(0, 4).join('/'));
    if (caller !== undefined) callers.set(called, (callers.get(called) ?? new Set()).add(caller));
  }
  return callers;
}

/** What can be reached from the first step on, and how the steps can be left. */
export function reach(
  steps: readonly WalkedStep[],
  waysOf: (step: WalkedStep) => readonly NextTarget[],
): Set<NextTarget> {
  const reached = new Set<NextTarget>(steps.length > 0 ? [0] : ['exit']);
  for (const way of reached) {
    const step = typeof way === 'number' ? steps[way] : undefined;
    if (step !== undefined) for (const next of waysOf(step)) reached.add(next);
  }
  return reached;
}

/** Where a directive leads from a step. */
export function nextTargetOf({ scope, index }: WalkedStep, then: string | undefined): NextTarget {
  if (then === 'exit' || then === 'end') return then;
  const target = then === undefined || then === 'continue' ? undefined : scope.byName.get(then);
  if (target !== undefined) return target.index;
  return index + 1 < scope.steps.length ? index + 1 : 'exit';
}

function isSame(one: FlowOutcome, other: FlowOutcome | undefined): boolean {
  return one.completes === other?.completes && one.ends === other.ends && one.stops === other.stops;
}
