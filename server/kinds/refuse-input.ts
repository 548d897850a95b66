import type { DefinitionType } from '../../shared/definition-types.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import type { SchemaChecker } from '../lib/schemas/index.ts';
import type { Ending } from './run.ts';

/** The ending of a run whose input does not match the schema of its definition. */
export async function refusalOfInput(
  schemas: Pick<SchemaChecker, 'compileSchema'>,
  { type, name }: { type: DefinitionType; name: string },
  inputSchema: JsonObject | undefined,
  input: Json,
): Promise<Ending | undefined> {
  if (inputSchema === undefined) return undefined;
  const issues = await schemas.compileSchema(inputSchema).check(input, '/input');
  if (issues.length === 0) return undefined;
  const detail = `The input does not match the input schema of ${type}/${name}.`;
  return { status: 'rejected', rejection: { reason: 'invalid_input', detail, issues } };
}
