// Every schema inside a schema, with where it stands.
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { escapeToken } from '../json-pointer.ts';
import { LISTS_OF_SCHEMAS, MAPS_OF_SCHEMAS, SCHEMAS } from './keywords.ts';

export interface SchemaLocation {
  /** A JSON Pointer from the root schema. */
  pointer: string;
  /** `true` and `false` are schemas too. */
  schema: JsonObject | boolean;
  /** 1 is the root. */
  depth: number;
}

/** A schema's own schemas, one level down, with the keyword that holds each. */
export function childrenOf({ pointer, schema, depth }: SchemaLocation): (SchemaLocation & { keyword: string })[] {
  const found: (SchemaLocation & { keyword: string })[] = [];
  if (schema === true || schema === false) return found;
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${pointer}/${escapeToken(keyword)}`;
    const add = (child: unknown, below: string): void => {
      if (isJsonObject(child) || typeof child === 'boolean') {
        found.push({ keyword, schema: child, pointer: at + below, depth: depth + 1 });
      }
    };
    if (SCHEMAS.has(keyword)) add(value, '');
    if (MAPS_OF_SCHEMAS.has(keyword) && isJsonObject(value)) {
      for (const [name, child] of Object.entries(value)) add(child, `/${escapeToken(name)}`);
    }
    if (LISTS_OF_SCHEMAS.has(keyword) && Array.isArray(value)) value.forEach((child, index) => add(child, `/${index}`));
  }
  return found;
}

/**
 * Every schema by its pointer, the root under ''; undefined when there are more than `mostSchemas`, or one stands
 * deeper than `mostDepth`.
 */
export function schemaLocations(
  root: JsonObject,
  mostSchemas: number,
  mostDepth: number,
): Map<string, SchemaLocation> | undefined {
  const locations = new Map<string, SchemaLocation>();
  const waiting: SchemaLocation[] = [{ pointer: '', schema: root, depth: 1 }];
  for (let location = waiting.pop(); location !== undefined; location = waiting.pop()) {
    if (locations.size >= mostSchemas || location.depth > mostDepth) return undefined;
    locations.set(location.pointer, location);
    // The first one is read first.
    waiting.push(...childrenOf(location).toReversed());
  }
  return locations;
}
