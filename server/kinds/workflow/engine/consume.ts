// Which events a strategy takes, and when it has what it wants. Listens and schedules share it.
import type { ConsumptionStrategy, EventFilter } from '../document/dsl.ts';
import type { ExpressionContext, Work } from './model.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import { canonicalJson } from '../../../lib/canonical-json.ts';
import { sha256 } from '../../../lib/sha256.ts';
import { wholeExpression } from '../../../lib/jq/index.ts';
import type { CloudEvent, EventInterest } from '../../durable.ts';
import type { Asking } from './requests.ts';
import { evaluate, fill } from './values.ts';

/** How far a strategy has come. */
export interface Consumption extends JsonObject {
  /** By the name of a correlation: the value that events must have. */
  correlations: JsonObject;
  /** For `all`: indexes of the filters that have their event. */
  matched: number[];
}

export const NOTHING_CONSUMED: Consumption = { correlations: {}, matched: [] };

/** The result of taking an event; `isDone`: the strategy has what it wants, leaving `until` aside. */
export interface Consumed {
  consumption: Consumption;
  isDone: boolean;
}

export function filtersOf(strategy: ConsumptionStrategy): readonly EventFilter[] {
  if ('one' in strategy) return [strategy.one];
  return 'all' in strategy ? strategy.all : strategy.any;
}

/** Takes the event, or leaves it: undefined. */
export function* take(
  work: Work,
  context: ExpressionContext,
  strategy: ConsumptionStrategy,
  consumption: Consumption,
  event: CloudEvent,
): Asking<Consumed | undefined> {
  const filters = filtersOf(strategy);
  if ('any' in strategy && filters.length === 0) return { consumption, isDone: true };
  for (const [index, filter] of filters.entries()) {
    if ('all' in strategy && consumption.matched.includes(index)) continue;
    const correlations = yield* accept(work, context, { filter, index }, consumption.correlations, event);
    if (correlations === undefined) continue;
    const matched = 'all' in strategy ? [...consumption.matched, index] : consumption.matched;
    return {
      consumption: { correlations, matched },
      isDone: !('all' in strategy) || matched.length === filters.length,
    };
  }
  return undefined;
}

/** The correlations with what the event adds to them; undefined when the filter does not accept it. */
function* accept(
  work: Work,
  context: ExpressionContext,
  { filter, index }: { filter: EventFilter; index: number },
  correlations: JsonObject,
  event: CloudEvent,
): Asking<JsonObject | undefined> {
  for (const [name, wanted] of Object.entries(filter.with)) {
    if (!(yield* hasAttribute(work, context, wanted, event[name]))) return undefined;
  }
  const found: JsonObject = { ...correlations };
  for (const [name, { from, expect }] of Object.entries(filter.correlate ?? {})) {
    const value = yield* evaluate(work, context, from, event['data'] ?? null);
    if (value === null) return undefined;
    const key = expect === undefined ? name : expectationKey(index, name);
    found[key] ??= expect === undefined ? value : yield* fill(work, context, expect, context.input ?? null);
    if (canonicalJson(found[key]) !== canonicalJson(value)) return undefined;
  }
  return found;
}

/** An expectation belongs to its filter; a correlation without one is shared by all filters that name it. */
function expectationKey(index: number, name: string): string {
  return `${index}/${name}`;
}

/** A strategy before its first event: what correlations expect is what it was when the waiting began. */
export function* beginConsuming(
  work: Work,
  context: ExpressionContext,
  strategy: ConsumptionStrategy,
): Asking<Consumption> {
  const correlations: JsonObject = {};
  for (const [index, { correlate }] of filtersOf(strategy).entries()) {
    for (const [name, { expect }] of Object.entries(correlate ?? {})) {
      if (expect === undefined) continue;
      correlations[expectationKey(index, name)] = yield* fill(work, context, expect, context.input ?? null);
    }
  }
  return { correlations, matched: [] };
}

/** A text is compared as it stands; an expression sees the attribute and accepts by `true` or an equal value. */
function* hasAttribute(work: Work, context: ExpressionContext, wanted: Json, found: Json | undefined): Asking<boolean> {
  if (typeof wanted === 'string' && wholeExpression(wanted) !== undefined) {
    const value = yield* evaluate(work, context, wanted, found ?? null);
    return value === true || (found !== undefined && canonicalJson(value) === canonicalJson(found));
  }
  if (found === undefined) return false;
  const value = isJsonObject(wanted) || Array.isArray(wanted) ? yield* fill(work, context, wanted, found) : wanted;
  return canonicalJson(value) === canonicalJson(found);
}

/** What is known of a strategy's events without looking at their data. */
export function interestsOf(
  strategy: ConsumptionStrategy,
  { correlations }: Consumption = NOTHING_CONSUMED,
): EventInterest[] {
  const filters = filtersOf(strategy);
  const until = 'any' in strategy && typeof strategy.until === 'object' ? interestsOf(strategy.until) : [];
  const own =
    filters.length === 0 ? [ANY_EVENT] : filters.map((filter, index) => interestOf(filter, index, correlations));
  const all = new Map([...own, ...until].map((interest) => [JSON.stringify(interest), interest]));
  return [...all.values()];
}

const ANY_EVENT: EventInterest = { type: null, source: null, subject: null, correlation: null };

function interestOf(
  { with: attributes, correlate }: EventFilter,
  index: number,
  correlations: JsonObject,
): EventInterest {
  const { type, source, subject } = attributes;
  const known = Object.entries(correlate ?? {}).find(
    ([name]) => correlations[expectationKey(index, name)] !== undefined,
  );
  return {
    type: literal(type),
    source: literal(source),
    subject: literal(subject),
    correlation:
      known === undefined ? null : correlationOf(known[1].from, correlations[expectationKey(index, known[0])]),
  };
}

function correlationOf(from: string, expected: Json = null): EventInterest['correlation'] {
  return { from: wholeExpression(from) ?? from, sha256: sha256(canonicalJson(expected)) };
}

function literal(attribute: unknown): string | null {
  return typeof attribute === 'string' && wholeExpression(attribute) === undefined ? attribute : null;
}

/** The event as `read` asks for it. */
export function readAs(read: 'data' | 'envelope' | 'raw' | undefined, event: CloudEvent): Json {
  const data = event['data'] ?? null;
  switch (read) {
    case 'envelope':
      return event;
    case 'raw':
      return typeof data === 'string' ? data : JSON.stringify(data);
    default:
      return data;
  }
}
