// The tokens that runs report, and what they cost at prices that the caller provides: the service knows no prices.
import { readFileSync } from 'node:fs';
import { isJsonObject, type Json, memberOf } from '../../../../shared/json.ts';
import { CommandFailure, EXIT } from '../failure.ts';

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
  if (price === undefined) return undefined;
  const { input, output, cached = input } = price;
  const cost = (tokens.input - tokens.cached) * input + tokens.cached * cached + tokens.output * output;
  return cost / MILLION;
}

/** Reads `{ "provider/model": { "input": 0.25, "output": 2, "cached": 0.025 } }`. @throws CommandFailure */
export function readPrices(file: string | undefined): Prices {
  if (file === undefined) return new Map();
  const form = 'write { "provider/model": { "input": 0.25, "output": 2, "cached": 0.025 } }, for a million tokens';
  let value: Json;
  try {
    value = JSON.parse(readFileSync(file, 'utf8')) as Json;
  } catch (error) {
    throw wrong(
      `Cannot read the prices in ${file} (${error instanceof Error ? error.message : String(error)}); ${form}.`,
    );
  }
  if (!isJsonObject(value)) throw wrong(`${file} is not an object; ${form}.`);
  return new Map(
    Object.entries(value).map(([model, price]) => {
      const amount = (name: string): number | undefined => {
        const found = memberOf(price, name);
        return typeof found === 'number' && found >= 0 ? found : undefined;
      };
      const [input, output, cached] = [amount('input'), amount('output'), amount('cached')];
      if (input === undefined || output === undefined)
        throw wrong(`${file}: the price of ${model} needs input and output; ${form}.`);
      return [model, { input, output, ...(cached === undefined ? {} : { cached }) }];
    }),
  );
}

function wrong(sentence: string): CommandFailure {
  return new CommandFailure(sentence, EXIT.misused);
}
