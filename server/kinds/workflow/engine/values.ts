// Expressions and templates of a document, evaluated where they stand.
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import { PRODUCT } from '../../../../shared/product.ts';
import { isoTime } from '../../../lib/clock.ts';
import { wholeExpression } from '../../../lib/jq/index.ts';
import { bytesOf, MOST_VALUE_BYTES } from '../step-bounds.ts';
import { fault } from './faults.ts';
import { type Frame, ROOT } from './frames.ts';
import type { ExpressionContext, Work } from './model.ts';
import { askCheck, askEvaluate, type Asking } from './requests.ts';
import { coldOf, contextOf, rulesOf, takeFrame } from './work.ts';

type Variables = Record<string, Json>;

/** An expression where bare jq may stand: with or without `${ }` around it. */
export function* evaluate(work: Work, context: ExpressionContext, text: string, on: Json): Asking<Json> {
  const expression = wholeExpression(text) ?? text;
  const result = yield* askEvaluate(expression, on, yield* argumentsOf(work, context, expression));
  if (result.ok) return result.value;
  throw fault(
    'expression',
    400,
    `The expression ${quoted(expression)} failed: ${result.detail}${hintOf(result.detail, on)}`,
  );
}

/** What `.name` of a list most often should have been: events arrive as lists. */
function hintOf(detail: string, on: Json): string {
  return Array.isArray(on) && detail.startsWith('Cannot index array with string')
    ? '. The value is a list; `.[0]` is its first entry. Events are listed by their data, unless `read` says otherwise'
    : '';
}

/** As jq judges it: everything but false and null is true. */
export function* holds(work: Work, context: ExpressionContext, text: string, on: Json): Asking<boolean> {
  const value = yield* evaluate(work, context, text, on);
  return value !== false && value !== null;
}

/** A value whose texts may be expressions: each that is wholly `${ }` becomes what it evaluates to. */
export function* fill(work: Work, context: ExpressionContext, template: Json, on: Json): Asking<Json> {
  const filled = yield* fillPart(work, context, template, on);
  // Each expression is bounded by itself; together they may repeat what they were given, doubling it at every step.
  if (bytesOf(filled, MOST_VALUE_BYTES) <= MOST_VALUE_BYTES) return filled;
  throw fault(
    'expression',
    400,
    `The result of ${context.step?.reference ?? 'the workflow'} has more than 4 MiB as JSON; keep less.`,
  );
}

function* fillPart(work: Work, context: ExpressionContext, template: Json, on: Json): Asking<Json> {
  if (typeof template === 'string') return yield* fillText(work, context, template, on);
  if (Array.isArray(template)) {
    const items: Json[] = [];
    for (const item of template) items.push(yield* fillPart(work, context, item, on));
    return items;
  }
  if (!isJsonObject(template)) return template;
  const members: [string, Json][] = [];
  for (const [name, value] of Object.entries(template)) members.push([name, yield* fillPart(work, context, value, on)]);
  return Object.fromEntries(members);
}

function* fillText(work: Work, context: ExpressionContext, text: string, on: Json): Asking<Json> {
  if (wholeExpression(text) !== undefined) return yield* evaluate(work, context, text, on);
  if (work.plan.document.evaluate?.mode !== 'loose') return text;
  const result = yield* askEvaluate(text, on, yield* argumentsOf(work, context, text));
  return result.ok ? result.value : text;
}

/** `from` and `as`: a text is bare jq, anything else a template. */
export function* transform(work: Work, context: ExpressionContext, rule: Json | undefined, on: Json): Asking<Json> {
  if (rule === undefined) return on;
  return typeof rule === 'string' ? yield* evaluate(work, context, rule, on) : yield* fill(work, context, rule, on);
}

/** @throws Fault `validation` 400 with everything that does not fit */
export function* check(
  schema: { document?: unknown } | undefined,
  value: Json,
  /** What the value is, as a sentence begins with it, and what pointers into it begin with. */
  { what, pointer }: { what: string; pointer: string },
): Asking<void> {
  const document = schema?.document;
  // The schema `true` takes everything; other schemas of a checked document are objects.
  if (!isJsonObject(document)) return;
  const issues = yield* askCheck(document, value, pointer);
  const [first] = issues;
  if (first === undefined) return;
  const more = issues.length === 1 ? '' : ` That is one of ${issues.length} issues.`;
  throw fault('validation', 400, `${what} does not match its schema: ${first.detail}${more}`, { issues });
}

/** The arguments that the expression names, and no others: some are large. */
function* argumentsOf(work: Work, context: ExpressionContext, expression: string): Asking<Variables> {
  const names = variableNames(expression);
  if (names.length === 0) return NONE;
  const found: Variables = {};
  const inScope = names.some((name) => !OWN.has(name)) ? yield* variablesAt(work, context) : NONE;
  for (const name of names) {
    const value = Object.hasOwn(inScope, name) ? inScope[name] : yield* argument(work, context, name, expression);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

const NONE: Variables = {};
const OWN: ReadonlySet<string> = new Set(['context', 'input', 'output', 'task', 'workflow', 'runtime', 'secrets']);

const namesKept = new Map<string, readonly string[]>();

/** What stands after a `$` in an expression; a name inside a text is one too many, which does no harm. */
function variableNames(expression: string): readonly string[] {
  const known = namesKept.get(expression);
  if (known !== undefined) return known;
  const names = [...new Set([...expression.matchAll(/\$([A-Za-z_]\w*)/g)].map((match) => match[1] ?? ''))];
  if (namesKept.size >= 10_000) namesKept.clear();
  namesKept.set(expression, names);
  return names;
}

function* argument(work: Work, context: ExpressionContext, name: string, expression: string): Asking<Json | undefined> {
  switch (name) {
    case 'context':
      return yield* contextOf(work);
    case 'input':
      return context.input;
    case 'output':
      return context.output;
    case 'task':
      return taskOf(context);
    case 'workflow':
      return yield* workflowOf(work);
    case 'runtime':
      return { name: PRODUCT, version: work.facts.runtimeVersion, metadata: {} };
    case 'secrets':
      return secretsFor(work, expression);
    case 'authorization':
      return context.authorization ?? null;
    default:
      return undefined;
  }
}

/** Variables of the frames above: items of loops and events, caught errors. The nearest one wins. */
function* variablesAt(work: Work, context: ExpressionContext): Asking<Variables> {
  let found: Variables = { ...context.variables };
  for (let id = context.parent; id !== undefined && id !== ROOT; ) {
    const frame: Frame | undefined = yield* takeFrame(work, id);
    if (frame === undefined) break;
    const rules = rulesOf(work, frame);
    if (rules.variables !== undefined) found = { ...(yield* rules.variables(work, frame)), ...found };
    id = frame.parent;
  }
  return found;
}

function taskOf({ step, raw, rawOutput, startedAt }: ExpressionContext): Json {
  if (step === undefined) return null;
  const meant = step.extends ?? step;
  return {
    name: meant.name,
    reference: meant.reference,
    definition: meant.task as unknown as JsonObject,
    ...(meant.task as unknown as JsonObject),
    ...(raw === undefined ? {} : { input: raw }),
    ...(rawOutput === undefined ? {} : { output: rawOutput }),
    ...(startedAt === undefined ? {} : { startedAt: moment(startedAt) }),
  };
}

function* workflowOf(work: Work): Asking<Json> {
  const { raw } = yield* coldOf(work, ROOT);
  return {
    id: work.facts.runId,
    definition: work.plan.document as unknown as JsonObject,
    input: raw,
    startedAt: moment(work.root.startedAt),
  };
}

function moment(milliseconds: number): JsonObject {
  const epoch = { seconds: Math.floor(milliseconds / 1000), milliseconds };
  return { iso8601: isoTime(milliseconds), epoch };
}

function secretsFor(work: Work, expression: string): JsonObject {
  const { secrets } = work.facts;
  const named = [...expression.matchAll(/\$secrets\s*(?:\.\s*"?([\w-]+)|\[\s*"([^"]+)")/g)].map(
    ([, one, other]) => one ?? other ?? '',
  );
  const missing = named.find((name) => !Object.hasOwn(secrets, name));
  if (missing === undefined) {
    // One whose variable is not set is refused when it is read.
    for (const name of named) void secrets[name];
    return { ...secrets };
  }
  throw fault(
    'authorization',
    403,
    `The workflow cannot use the secret ${missing}; the operator can add it to workflow_secrets.`,
  );
}

function quoted(expression: string): string {
  const short = expression.length > 200 ? `${expression.slice(0, 200)}…` : expression;
  return `\`${short.replaceAll('\n', ' ')}\``;
}
