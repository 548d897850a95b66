import { isJsonObject, type JsonObject } from '../../../shared/json.ts';

/** The horizons that questions may name, by the input schema of the function. */
export function horizonsOf(schema: JsonObject | undefined): number[] {
  const properties = schema?.['properties'];
  const horizon = isJsonObject(properties) ? properties['horizon'] : undefined;
  if (!isJsonObject(horizon)) return [];
  const { enum: named, maximum } = horizon;
  if (Array.isArray(named)) return named.filter((one) => typeof one === 'number');
  return typeof maximum === 'number' ? Array.from({ length: maximum }, (_, index) => index + 1) : [];
}
