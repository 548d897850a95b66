// Warnings about events that are lost between two `listen` steps: a run receives published events only while it listens.
//
// 1. A loop loses events while another of its steps takes time, and so do two `listen` steps for the same events with
//    a step that takes time between them.
// 2. Each list is looked at by itself; steps inside a step, and those of a function that it calls, count as its own.
// 3. Calls, waits and runs take time, and so does a `listen` for other events. A `listen` with `foreach` keeps listening.
import { wholeExpression } from '../../../../lib/jq/index.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { code } from '../schema/sentences.ts';
import type { RunTask } from '../tasks/run.ts';
import type { Walk, WalkedScope, WalkedStep } from '../walk.ts';
import { flowOf, type NextTarget } from './outcomes.ts';

interface Listen {
  step: WalkedStep;
  /** The types of the events that it returns; undefined: of any type. */
  types: readonly string[] | undefined;
}

/** What a step does, with the steps inside it. */
interface Content {
  listens: readonly Listen[];
  /** The first step that takes time. */
  slow: WalkedStep | undefined;
}

const NOTHING: Content = { listens: [], slow: undefined };

export function warnOfLostEvents(walked: Walk, findings: Findings): void {
  if (!walked.steps.some(({ kind }) => kind === 'listen')) return;
  const { nextTargetsOf } = flowOf(walked);
  const contentOf = contentsIn(walked);
  const loops = walked.steps.filter(({ kind }) => kind === 'for').flatMap(({ bodies }) => bodies);
  const repeated = new Set(loops.map(({ scope }) => scope));
  const warned = new Set<WalkedStep>();
  for (const scope of walked.scopes) {
    if (scope.kind !== 'list') continue;
    const successors = successorsIn(scope, nextTargetsOf, repeated.has(scope));
    for (const { listen, detail } of lossesIn(scope, successors, contentOf)) {
      if (!warned.has(listen.step)) findings.warn(`${listen.step.pointer}/listen`, `${detail} ${INSTEAD}`, 'key');
      warned.add(listen.step);
    }
  }
}

const INSTEAD =
  'To receive all of them, write one `listen` with `any` and `until`, and handle each in its `foreach`, while the next ones wait; or send them to the run with send_run_event, which keeps them.';

function contentsIn({ functions }: Walk): (step: WalkedStep) => Content {
  const known = new Map<WalkedStep, Content>();
  const contentOf = (step: WalkedStep): Content => {
    const found = known.get(step);
    if (found !== undefined) return found;
    // What a function that calls itself adds is known already.
    known.set(step, NOTHING);
    const content = read(step);
    known.set(step, content);
    return content;
  };
  const read = (step: WalkedStep): Content => {
    if (step.kind === 'listen') return { listens: [{ step, types: typesOf(step) }], slow: undefined };
    const called = functions.get(step.descriptor.functionName?.(step.task) ?? '');
    if (called === undefined && takesTime(step)) return { listens: [], slow: step };
    const inner = [...(called?.steps ?? []), ...step.bodies.flatMap(({ scope }) => scope.steps)].map(contentOf);
    return {
      // A function that is called twice counts once, or functions that call each other would be counted by the million.
      listens: [...new Set(inner.flatMap(({ listens }) => listens))],
      slow: inner.find(({ slow }) => slow !== undefined)?.slow,
    };
  };
  return contentOf;
}

function takesTime({ kind, task }: WalkedStep): boolean {
  return kind === 'wait' || kind === 'call' || (kind === 'run' && (task as RunTask).run.await !== false);
}

/** By the index of a step: the indexes of those that may follow it. */
function successorsIn(
  { steps }: WalkedScope,
  nextTargetsOf: (step: WalkedStep) => NextTarget[],
  isRepeated: boolean,
): number[][] {
  return steps.map((step) =>
    nextTargetsOf(step).flatMap((way) => {
      if (typeof way === 'number') return [way];
      return way === 'exit' && isRepeated ? [0] : [];
    }),
  );
}

interface Loss {
  listen: Listen;
  detail: string;
}

/** What happened before a step on one of the ways to it, by types of events; `undefined` stands for any type. */
interface Before {
  heard: Map<string | undefined, Listen>;
  /** Types of events that were listened for, and that a slow step then let pass. */
  missed: Map<string | undefined, { earlier: Listen; slow: WalkedStep }>;
}

/** Types that are remembered at a step, at most. A document with more gets fewer warnings. */
const MOST_TYPES = 20;

function* lossesIn(
  { steps }: WalkedScope,
  successors: readonly number[][],
  contentOf: (step: WalkedStep) => Content,
): Generator<Loss> {
  const befores = new Map<number, Before>();
  for (const indexes of componentsOf(successors)) {
    const own = new Set(indexes);
    const isLoop = indexes.length > 1 || indexes.some((index) => successors[index]?.includes(index));
    const contents = indexes.flatMap((index) => steps[index] ?? []).map(contentOf);
    const listens = contents.flatMap((content) => content.listens);
    const slow = contents.find((content) => content.slow !== undefined)?.slow;
    // Each listen is compared with two others of different types at most.
    const others = ofDifferentTypes(listens);
    const { heard, missed } = joined(indexes.flatMap((index) => befores.get(index) ?? []));
    for (const listen of listens) {
      const meanwhile = isLoop ? (slow ?? others.find((other) => !overlap(listen, other))?.step) : undefined;
      if (meanwhile !== undefined) yield { listen, detail: lossIn(listen, meanwhile) };
      for (const [type, { earlier, slow: passed }] of missed) {
        if (!matches(listen, type)) continue;
        yield { listen, detail: lossBetween(earlier, passed, listen) };
        missed.delete(type);
      }
    }
    if (slow !== undefined && listens.length === 0) {
      for (const [type, earlier] of heard) if (!missed.has(type)) missed.set(type, { earlier, slow });
    }
    for (const listen of listens) for (const type of listen.types ?? [undefined]) heard.set(type, listen);
    for (const next of indexes.flatMap((index) => successors[index] ?? [])) {
      if (!own.has(next)) befores.set(next, joined([befores.get(next) ?? NONE, { heard, missed }]));
    }
  }
}

/** The first `listen`, and the first that shares no type with it: whatever types a third one listens for, it shares none with one of them. */
function ofDifferentTypes(listens: readonly Listen[]): Listen[] {
  const [first] = listens;
  const second = first && listens.find((other) => !overlap(first, other));
  return [first, second].filter((listen) => listen !== undefined);
}

const NONE: Before = { heard: new Map(), missed: new Map() };

function joined(befores: readonly Before[]): Before {
  const first = <Value>(maps: Map<string | undefined, Value>[]): Map<string | undefined, Value> =>
    new Map(maps.flatMap((map) => [...map]).slice(0, MOST_TYPES));
  return {
    heard: first(befores.map(({ heard: listens }) => listens)),
    missed: first(befores.map(({ missed }) => missed)),
  };
}

/** Steps that lead to each other, in an order in which each comes before what follows it (Tarjan's algorithm). */
function componentsOf(successors: readonly number[][]): number[][] {
  const components: number[][] = [];
  const order = new Map<number, number>();
  const lowest: number[] = [];
  const stack: number[] = [];
  const open = new Set<number>();
  const visit = (index: number): void => {
    order.set(index, order.size);
    lowest[index] = order.size - 1;
    stack.push(index);
    open.add(index);
    for (const next of successors[index] ?? []) {
      if (!order.has(next)) visit(next);
      if (open.has(next)) lowest[index] = Math.min(lowest[index] ?? 0, lowest[next] ?? 0);
    }
    if (lowest[index] !== order.get(index)) return;
    const component = stack.splice(stack.lastIndexOf(index));
    for (const member of component) open.delete(member);
    components.push(component);
  };
  for (const index of successors.keys()) if (!order.has(index)) visit(index);
  return components.toReversed();
}

function typesOf({ task, pointer, descriptor }: WalkedStep): string[] | undefined {
  const filters = (descriptor.filters?.({ task, pointer }) ?? []).filter(({ isUntil }) => isUntil !== true);
  const types = filters.map(({ filter }) => filter.with['type']);
  const literal = types.filter(
    (type): type is string => typeof type === 'string' && wholeExpression(type) === undefined,
  );
  return types.length > 0 && literal.length === types.length ? literal : undefined;
}

function matches({ types }: Listen, type: string | undefined): boolean {
  return type === undefined || types === undefined || types.includes(type);
}

function overlap({ types }: Listen, other: Listen): boolean {
  return (types ?? [undefined]).some((type) => matches(other, type));
}

function lossIn(listen: Listen, slow: WalkedStep): string {
  return `Each time this loop reaches ${code(slow.name)}, ${eventsOf(listen)} that are published before ${code(listen.step.name)} listens again are lost.`;
}

function lossBetween({ step }: Listen, slow: WalkedStep, listen: Listen): string {
  return `Between ${code(step.name)} and this \`listen\`, ${eventsOf(listen)} that are published while ${code(slow.name)} is in progress are lost.`;
}

function eventsOf({ types }: Listen): string {
  return types === undefined ? 'events' : `events of ${types.map(code).join(', ')}`;
}
