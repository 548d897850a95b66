// The tokens that runs report, and what they cost at prices that the operator or the caller provides.
import { isJsonObject, type Json, memberOf } from '../json.ts';

export interface Usage {
  /** `cached` is part of `input`. */
  tokens: { input: number; output: number; cached: number };
  /** The names of the model: as requested, as resolved, and as the provider reported it. */
  models: string[];
}

/** For a million tokens. Cached input costs as much as other input if it has no price of its own. */
export interface Price {
  input: number;
  output: number;
  cached?: number;
}

export type Prices = ReadonlyMap<string, Price>;

const MILLION = 1_000_000;

/** Undefined if the record names no tokens. */
export function readUsage(record: Json): Usage | undefined {
  const tokens = memberOf(record, 'tokens');
  const model = memberOf(record, 'model');
  if (!isJsonObject(tokens)) return undefined;
  const count = (name: string): number => Number(tokens[name] ?? 0);
  const models = ['requested', 'resolved', 'reported'].map((name) => memberOf(model, name));
  return {
    tokens: { input: count('input'), output: count('output'), cached: count('cached') },
    models: models.filter((name) => typeof name === 'string'),
  };
}

/** Undefined if the model has no price. */
export function costOf({ tokens, models }: Usage, model: string | undefined, prices: Prices): number | undefined {
  const price = [model, ...models].map((name) => prices.get(name ?? '')).find((found) => found !== undefined);
  return price === undefined ? undefined : costAt(price, tokens);
}

function costAt({ input, output, cached = input }: Price, tokens: Usage['tokens']): number {
  return ((tokens.input - tokens.cached) * input + tokens.cached * cached + tokens.output * output) / MILLION;
}
