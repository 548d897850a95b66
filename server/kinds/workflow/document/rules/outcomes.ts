// How steps can come to an end, as far as the document tells.
//
// 1. A list of steps is looked at once; what its steps hold is looked at within.
// 2. A list that can only go round counts, for what holds it, as one that stops: it is told where it stands.
// 3. Each list's outcome is worked out once, until a function of it gains a way: lists nest, and would be looked at
//    twice as often with each level.
// 4. Functions start as ones with no way to end, and gain ways until none is found any more: what is left goes round.
import type { WalkedScope, WalkedStep, Walk } from '../walk.ts';
import { directivesOf } from './directives.ts';

/** The ways in which a list of steps, or one step, can be over. */
export interface FlowOutcome {
  /** What holds it goes on. */
  completes: boolean;
  /** The workflow ends. */
  ends: boolean;
  /** An error is raised. */
  stops: boolean;
}

/** What a step can lead to: another step of its scope by its place, or out of it. */
export type Way = number | 'exit' | 'end' | 'stop';

export interface Flow {
  /** By the name of each function. */
  functions: ReadonlyMap<string, FlowOutcome>;
  waysOf: (step: WalkedStep) => Way[];
}

const NONE: FlowOutcome = { completes: false, ends: false, stops: false };
const STOPS: FlowOutcome = { completes: false, ends: false, stops: true };
const COMPLETES: FlowOutcome = { completes: true, ends: false, stops: false };

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

  /** A step alone: whatever it goes on to is out of it. */
  function aloneOutcome(step: WalkedStep): FlowOutcome {
    const { completes, ends, stops } = taskOutcome(step);
    const isEnd = directivesOf(step).some(({ then }) => then === 'end');
    return { completes: completes || step.task.if !== undefined, ends: ends || (completes && isEnd), stops };
  }

  function taskOutcome({ task, bodies }: WalkedStep): FlowOutcome {
    if ('raise' in task) return STOPS;
    if ('call' in task) return functions.get(task.call) ?? COMPLETES;
    const [first = COMPLETES, second] = bodies.map(({ scope }) => scopeOutcome(scope));
    // A loop may have nothing to loop over, a listen no event to work through.
    if ('for' in task || 'listen' in task) return { ...first, completes: true };
    if ('try' in task) {
      // What the steps under it raise is caught, as far as the document tells.
      const handled = task.try.length > 0 ? (second ?? COMPLETES) : NONE;
      return {
        completes: first.completes || handled.completes,
        ends: first.ends || handled.ends,
        stops: handled.stops,
      };
    }
    if ('fork' in task && task.fork.compete === true) {
      const branches = bodies[0]?.scope.steps ?? [];
      return { ...first, completes: branches.length === 0 || branches.some((step) => aloneOutcome(step).completes) };
    }
    return first;
  }

  function waysOf(step: WalkedStep): Way[] {
    const { task, bodies } = step;
    const outcome = taskOutcome(step);
    const own = wayOf(step, task.then);
    const ways: Way[] = [];
    if (task.if !== undefined) ways.push(wayOf(step, undefined));
    if (outcome.ends) ways.push('end');
    if (outcome.stops) ways.push('stop');
    if ('switch' in task) {
      const cases = directivesOf(step).filter(({ of }) => of === 'case');
      ways.push(...cases.map(({ then }) => wayOf(step, then)));
      if (!cases.some(({ isDefault }) => isDefault === true)) ways.push(own);
    } else if ('try' in task) {
      const [tried, caught] = bodies.map(({ scope }) => scopeOutcome(scope));
      if (tried?.completes === true) ways.push(own);
      if (task.try.length > 0 && caught?.completes !== false) ways.push(wayOf(step, task.catch.then ?? task.then));
    } else if (outcome.completes) ways.push(own);
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
  return { functions, waysOf };
}

/** By the name of a function: the functions that call it. */
function callersOf({ functions, steps }: Walk): Map<string, Set<string>> {
  const callers = new Map<string, Set<string>>();
  const nameAt = new Map([...functions].map(([name, { pointer }]) => [pointer, name]));
  for (const { task, pointer } of steps) {
    if (!('call' in task) || !functions.has(task.call)) continue;
    const caller = nameAt.get(pointer.split('/').slice(0, 4).join('/'));
    if (caller !== undefined) callers.set(task.call, (callers.get(task.call) ?? new Set()).add(caller));
  }
  return callers;
}

/** What can be reached from the first step on, and how the steps can be left. */
export function reach(steps: readonly WalkedStep[], waysOf: (step: WalkedStep) => readonly Way[]): Set<Way> {
  const reached = new Set<Way>(steps.length > 0 ? [0] : ['exit']);
  for (const way of reached) {
    const step = typeof way === 'number' ? steps[way] : undefined;
    if (step !== undefined) for (const next of waysOf(step)) reached.add(next);
  }
  return reached;
}

/** Where a directive leads from a step. */
export function wayOf({ scope, place }: WalkedStep, then: string | undefined): Way {
  if (then === 'exit' || then === 'end') return then;
  const target = then === undefined || then === 'continue' ? undefined : scope.byName.get(then);
  if (target !== undefined) return target.place;
  return place + 1 < scope.steps.length ? place + 1 : 'exit';
}

function isSame(one: FlowOutcome, other: FlowOutcome | undefined): boolean {
  return one.completes === other?.completes && one.ends === other.ends && one.stops === other.stops;
}
