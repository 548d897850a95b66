// URI templates of calls: `{name}` is filled from the top-level scalars of the step's input; a missing one is empty.
import { isJsonObject, type Json, type JsonObject } from '../../../../../shared/json.ts';
import { wholeExpression } from '../../../../lib/jq/index.ts';
import { fault } from '../faults.ts';

export function fillHttpUris(given: JsonObject, input: Json): JsonObject {
  return { ...given, endpoint: fillEndpoint(given['endpoint'] ?? null, input) };
}

export function fillOpenapiUris(given: JsonObject, input: Json): JsonObject {
  const { document } = given;
  if (!isJsonObject(document)) return given;
  return { ...given, document: { ...document, endpoint: fillEndpoint(document['endpoint'] ?? null, input) } };
}

function fillEndpoint(endpoint: Json, input: Json): Json {
  if (typeof endpoint === 'string') return fillUri(endpoint, input);
  if (!isJsonObject(endpoint) || typeof endpoint['uri'] !== 'string') return endpoint;
  return { ...endpoint, uri: fillUri(endpoint['uri'], input) };
}

function fillUri(uri: string, input: Json): string {
  // What an expression gives is data, and no template.
  if (wholeExpression(uri) !== undefined) return uri;
  return uri.replaceAll(/\{([A-Za-z_][\w.]*)\}/g, (_match, name: string) => {
    const value = isJsonObject(input) && Object.hasOwn(input, name) ? input[name] : undefined;
    if (value === undefined || value === null || typeof value === 'object') return '';
    // Dots alone would climb in the path, and stay dots however they are encoded.
    if (value === '.' || value === '..')
      throw fault('validation', 400, `\`${name}\` is ${value}, which is not allowed in a URL.`);
    return encodeURIComponent(String(value).toWellFormed());
  });
}
