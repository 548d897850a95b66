// Arguments that a tool does not have. Their refusal names all arguments of the tool: agents do not know which of them
// are in the path of an operation.
import type { Issue } from '../../../shared/issues.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { compileOwnSchema } from '../../lib/schemas/index.ts';
import type { Operation } from '../../operations/index.ts';
import type { Endpoint } from './endpoint.ts';
import { inputSchema } from './schemas.ts';

/** @param fields the arguments that are not in the path */
export function unknownArguments(
  endpoint: Endpoint,
  operation: Operation,
  fields: JsonObject,
): { issues: readonly Issue[]; known: JsonObject } {
  const entries = Object.entries(fields);
  const known = entries.filter(([name]) => Object.hasOwn(operation.fields.properties, name));
  if (known.length === entries.length) return { issues: [], known: fields };
  const { properties } = inputSchema(endpoint, operation);
  const names = Object.keys(properties as JsonObject).map((name) => [name, {}]);
  const check = compileOwnSchema({ properties: Object.fromEntries(names), additionalProperties: false });
  return { issues: check(fields, ''), known: Object.fromEntries(known) };
}
