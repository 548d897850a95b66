import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import type { ProgramExports } from './exports.ts';

/** Markdown: what the computation needs, produces and does. */
export function overviewOf({
  description,
  inputSchema,
  outputSchema,
  shape,
  examples,
  expose,
}: ProgramExports): string {
  const produces = shape === undefined ? fieldsOf(outputSchema, 'Any JSON value.') : `The shape \`${shape}\`.`;
  return [
    ...(description === undefined ? [] : [description]),
    `**Needs**\n\n${fieldsOf(inputSchema, 'Any JSON value; {} when none is given.')}`,
    `**Produces**\n\n${produces}`,
    '**Does** A program in a sandbox of its own: bounded work, 64 MiB of memory, no network and no files. It ends within its request.',
    ...(examples.length === 0 ? [] : [`**Examples** ${examples.map(({ name }) => name).join('; ')}`]),
    ...(expose ? ['**Exposed** as an MCP tool of its own.'] : []),
  ].join('\n\n');
}

/** The fields of an object schema as a list; other schemas by their type. */
function fieldsOf(schema: JsonObject | undefined, otherwise: string): string {
  if (schema === undefined) return otherwise;
  const { properties, required } = schema;
  if (!isJsonObject(properties) || Object.keys(properties).length === 0) return `A value of type ${typeOf(schema)}.`;
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties)
    .map(([name, property]) => {
      const { description } = isJsonObject(property) ? property : {};
      const words = typeof description === 'string' ? `: ${description}` : '';
      return `- \`${name}\` (${typeOf(property)}${needed.includes(name) ? ', required' : ''})${words}`;
    })
    .join('\n');
}

function typeOf(schema: unknown): string {
  if (!isJsonObject(schema)) return 'any';
  const { type, enum: values } = schema;
  if (Array.isArray(values))
    return `one of ${values
      .slice(0, 12)
      .map((value) => JSON.stringify(value))
      .join(', ')}`;
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(type)) return type.join(' or ');
  return typeof type === 'string' ? type : 'any';
}
