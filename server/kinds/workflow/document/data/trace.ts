// Follows the data of a workflow from step to step, as far as it is known before a run, and reports fields that do not
// exist.
//
// 1. What is not certain is unknown, and nothing is reported about it: loops, errors, events, extensions.
// 2. Where several steps lead to one, its input may be the output of any of them.
// 3. The context belongs to the run: steps that export to it count wherever they are, and only those of a `do` are
//    certain to run in order, once and completely.
import type { DefinitionType } from '../../../../../shared/definition-types.ts';
import { isJsonObject, type Json } from '../../../../../shared/json.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import { wholeExpression } from '../../../../lib/jq/index.ts';
import type { DeclaredSchemas } from '../../../checked.ts';
import type { Rule } from '../dsl.ts';
import { flowOf, type NextTarget } from '../rules/outcomes.ts';
import type { Walk, WalkedScope, WalkedStep } from '../walk.ts';
import { exportsOf } from './exports.ts';
import { inferExpression, type InferScope } from './infer.ts';
import { fromSchema, type Guess, itemsOf, type MissingField, NULL, union } from './known.ts';

/** A call of a definition with what is known of its input. */
export interface TracedCall {
  type: DefinitionType;
  name: string;
  input: Guess;
  /** Where the input stands. */
  pointer: string;
}

export interface Trace {
  calls: readonly TracedCall[];
  missing: readonly (MissingField & { pointer: string })[];
}

interface State {
  input: Guess;
  context: Guess;
}

const UNKNOWN: State = { input: undefined, context: undefined };

/** @param declared the schemas of called definitions by TYPE/NAME */
export function traceData(walked: Walk, declared: ReadonlyMap<string, DeclaredSchemas>): Trace {
  const { document, root, extensions, scopes } = walked;
  const calls: TracedCall[] = [];
  const missing: Trace['missing'][number][] = [];
  if (extensions.length > 0 || document.evaluate?.mode === 'loose') return { calls, missing };
  const flow = flowOf(walked);
  const mayReplaceContext = exportsOf(walked);
  const raw = fromSchema(document.input?.schema?.document, "the workflow's input");
  const workflow: Guess = [{ kind: 'object', members: new Map([['input', raw]]), rest: ANYTHING }];

  const scopeAt = (pointer: string, variables: Variables): InferScope => ({
    variables: new Map<string, Guess>([['workflow', workflow], ...Object.entries(variables)]),
    report: (found) => void missing.push({ ...found, pointer }),
  });
  const result = (text: string, pointer: string, input: Guess, variables: Variables): Guess =>
    inferExpression(text, input, scopeAt(pointer, variables));
  const value = (template: Json | undefined, pointer: string, input: Guess, variables: Variables): Guess => {
    if (typeof template === 'string' && wholeExpression(template) !== undefined) {
      return result(template, pointer, input, variables);
    }
    if (isJsonObject(template)) {
      const members = Object.entries(template).map(
        ([name, member]) => [name, value(member, `${pointer}/${escapeToken(name)}`, input, variables)] as const,
      );
      return [{ kind: 'object', members: new Map(members) }];
    }
    if (!Array.isArray(template)) return template === undefined ? undefined : [{ kind: 'value', value: template }];
    const items = template.map((item, index) => value(item, `${pointer}/${index}`, input, variables));
    return items.every(isLiteral) ? [{ kind: 'value', value: template }] : [{ kind: 'list', items: union(...items) }];
  };
  const ruled = (rule: Rule | undefined, pointer: string, input: Guess, variables: Variables): Guess => {
    if (rule === undefined) return input;
    return typeof rule === 'string' ? result(rule, pointer, input, variables) : value(rule, pointer, input, variables);
  };

  /** @param loops the variables of loops around it */
  function traceScope(scope: WalkedScope, entry: State, loops: Variables): State {
    const states = new Map<NextTarget, State[]>([[0, [entry]]]);
    const ways = scope.steps.map((step) => (scope.kind === 'list' ? flow.nextTargetsOf(step) : ['exit' as const]));
    const repeated = new Set(ways.flatMap((targets, index) => targets.filter((to) => Number(to) <= index)));
    for (const [index, step] of scope.steps.entries()) {
      const before = scope.kind === 'branches' ? [entry] : (states.get(index) ?? []);
      const after = traceStep(step, repeated.has(index) || before.length === 0 ? UNKNOWN : joined(before), loops);
      for (const to of ways[index] ?? []) states.set(to, [...(states.get(to) ?? []), after]);
    }
    return joined(scope.steps.length === 0 ? [entry] : (states.get('exit') ?? [UNKNOWN]));
  }

  function traceStep(step: WalkedStep, { input: given, context }: State, loops: Variables): State {
    const { task, descriptor, pointer, name } = step;
    const around = Object.fromEntries(step.variables.map((variable) => [variable, loops[variable]]));
    const early = { context, ...around };
    if (task.if !== undefined) result(task.if, `${pointer}/if`, given, early);
    const input = ruled(task.input?.from, `${pointer}/input/from`, given, early);
    const variables = { context, input, ...around };
    const lists = descriptor.lists?.(task) ?? [];
    const within = mayReplaceContext(step) ? undefined : context;
    const bodies = step.bodies.map(({ scope }, index) => {
      const { startsWithInput = false, loop, variables: own = [] } = lists[index] ?? {};
      const items = loop && itemsOf(result(loop.in, `${pointer}${loop.at}`, input, variables));
      const known = { ...without(loops, own), ...(loop && { [loop.item]: items }) };
      return traceScope(scope, { input: startsWithInput ? input : undefined, context: within }, known);
    });
    const made = descriptor.data?.(
      { task, pointer },
      {
        input,
        bodies: bodies.map((body) => body.input),
        value: (template, at) => named(value(template, at, input, variables), name),
        result: (text, at) => (text === undefined ? undefined : result(text, at, input, variables)),
        call(type, called, with_, at) {
          calls.push({ type, name: called, input: with_, pointer: at });
          const reference = `${type}/${called}`;
          const { output, otherOutput } = declared.get(reference) ?? {};
          const made = fromSchema(output, `the output of \`${reference}\``);
          return otherOutput === undefined ? made : union(made, fromSchema(otherOutput));
        },
      },
    );
    const output = named(ruled(task.output?.as, `${pointer}/output/as`, made, variables), name);
    const inner = step.kind === 'do' ? bodies[0]?.context : within;
    const exported =
      task.export?.as === undefined
        ? inner
        : ruled(task.export.as, `${pointer}/export/as`, output, { ...variables, context: inner, output });
    if (task.if === undefined) return { input: output, context: exported };
    return { input: union(output, given), context: union(exported, context) };
  }

  const start = ruled(document.input?.from, '/input/from', raw, {});
  const end = traceScope(root, { input: start, context: NULL }, {});
  for (const scope of scopes) if (scope.kind === 'single') traceScope(scope, UNKNOWN, {});
  const mayEndEarly = root.steps.some((step) => flow.nextTargetsOf(step).includes('end'));
  if (!mayEndEarly) ruled(document.output?.as, '/output/as', end.input, { context: end.context });
  return { calls, missing };
}

type Variables = Readonly<Record<string, Guess>>;

/** A part of which nothing is known. */
const ANYTHING = { kind: 'schema', schema: {}, root: {} } as const;

function joined(states: readonly State[]): State {
  return { input: union(...states.map(({ input }) => input)), context: union(...states.map(({ context }) => context)) };
}

/** Says of a new object which step made it. */
function named(guess: Guess, step: string): Guess {
  return guess?.map((known) =>
    known.kind === 'object' && known.of === undefined ? { ...known, of: `the output of the step \`${step}\`` } : known,
  );
}

function without(variables: Variables, names: readonly string[]): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !names.includes(name)));
}

function isLiteral(guess: Guess): boolean {
  return guess?.length === 1 && guess[0]?.kind === 'value';
}
