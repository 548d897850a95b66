import type { JsonObject } from '../../../shared/json.ts';
import { code, fieldsOf } from '../../lib/schemas/index.ts';
import type { Example } from '../checked.ts';

export interface Said {
  description?: string | undefined;
  inputSchema?: JsonObject | undefined;
  outputSchema?: JsonObject | undefined;
  shape?: string | undefined;
  examples?: readonly Example[] | undefined;
  expose?: boolean | undefined;
}

/**
 * Markdown: what a definition needs, produces and does.
 * @param does the last of it, as paragraphs
 * @param needs what it takes where it names no schema
 * @param gives what it produces where it names neither a schema nor a shape
 */
export function overviewOf(
  { description, inputSchema, outputSchema, shape, examples = [], expose }: Said,
  does: readonly string[],
  { needs = 'Any JSON value; {} when none is given.', gives = 'Any JSON value.' } = {},
): string {
  const produces = shape === undefined ? fieldsOf(outputSchema, gives) : `The shape ${code(shape)}.`;
  return [
    ...(description === undefined || description.trim() === '' ? [] : [description.trim()]),
    `**Needs**\n\n${fieldsOf(inputSchema, needs)}`,
    `**Produces**\n\n${produces}`,
    ...does,
    ...(examples.length === 0 ? [] : [`**Examples** ${examples.map(({ name }) => name).join('; ')}`]),
    ...(expose === true ? ['**Exposed** as an MCP tool of its own.'] : []),
  ].join('\n\n');
}
