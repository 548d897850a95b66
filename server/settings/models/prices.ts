// Prices of models, which only the operator knows.
import type { Price } from '../../../shared/evaluation/index.ts';
import { isJsonObject } from '../../../shared/json.ts';
import type { WrittenConfig } from '../entries.ts';
import type { Environment } from '../environment.ts';
import { splitReference } from './reference.ts';
import { kindWords, objectOf, refuseUnknownFields, shown, writtenSetting, wrong } from './written.ts';

const FORM =
  'an object of prices for a million tokens, such as { "openai/gpt-5-mini": { "input": 0.25, "output": 2 } }';
const FIELDS = ['input', 'output', 'cached'] as const;

/** @throws SettingsError */
export function readPrices(file: WrittenConfig, environment: Environment): ReadonlyMap<string, Price> {
  const written = writtenSetting('model_prices', file, environment);
  if (written === undefined || (written.value === null && !written.isVariable)) return new Map();
  return new Map(
    Object.entries(objectOf(written, FORM)).map(([reference, price]) => {
      const at = `[${shown(reference)}]`;
      if (splitReference(reference) === undefined || reference.includes('*')) {
        throw wrong(written.at(at), `is ${shown(reference)}`, 'a reference, provider/model, without *');
      }
      if (!isJsonObject(price)) throw wrong(written.at(at), kindWords(price), 'an object with input and output');
      refuseUnknownFields(price, FIELDS, written.at(at));
      const amount = (field: (typeof FIELDS)[number]): number => {
        const value = price[field];
        if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
        throw wrong(written.at(`${at}.${field}`), kindWords(value), 'a number that is not negative');
      };
      const own = { input: amount('input'), output: amount('output') };
      return [reference, price['cached'] === undefined ? own : { ...own, cached: amount('cached') }] as const;
    }),
  );
}
