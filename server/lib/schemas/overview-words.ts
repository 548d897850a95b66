// A schema in words of Markdown, for overviews.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';

/** The fields of an object schema as a list; other schemas by their type. */
export function fieldsOf(schema: JsonObject | undefined, otherwise: string): string {
  if (schema === undefined) return otherwise;
  const { properties, required } = schema;
  if (!isJsonObject(properties) || Object.keys(properties).length === 0) return `A value of type ${typeOf(schema)}.`;
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties)
    .map(([name, property]) => {
      const { description } = isJsonObject(property) ? property : {};
      const words = typeof description === 'string' ? `: ${description}` : '';
      return `- ${code(name)} (${typeOf(property)}${needed.includes(name) ? ', required' : ''})${words}`;
    })
    .join('\n');
}

function typeOf(schema: Json): string {
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

/** A text as code, kept to one line. */
export function code(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll(/\s+/g, ' ')}\``;
}
