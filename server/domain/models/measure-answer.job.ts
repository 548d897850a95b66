// How much the main thread would have to read of an answer of a model.
import type { Json } from '../../../shared/json.ts';
import { countValues } from '../../lib/json-bounds.ts';

/** @param body JSON, or lines of a stream of events, each with JSON */
export function measureAnswer(body: Uint8Array): { values: number } {
  const text = Buffer.from(body).toString('utf8');
  const whole = valuesIn(text);
  if (whole !== undefined) return { values: whole };
  return { values: text.split(/[\r\n]+/).reduce((sum, line) => sum + (valuesIn(line.replace(/^data:/, '')) ?? 0), 0) };
}

/** Undefined for what is no JSON: reading that ends early. */
function valuesIn(text: string): number | undefined {
  try {
    return countValues(JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}
