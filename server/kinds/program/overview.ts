import { fieldsOf } from '../../kernel/schemas/index.ts';
import type { ProgramExports } from './exports.ts';

/**
 * Markdown: what the program needs, produces and does.
 * @param does the last of it, as paragraphs
 */
export function overviewOf(
  { description, inputSchema, outputSchema, shape, examples, expose }: ProgramExports,
  does: readonly string[],
): string {
  const produces = shape === undefined ? fieldsOf(outputSchema, 'Any JSON value.') : `The shape \`${shape}\`.`;
  return [
    ...(description === undefined ? [] : [description]),
    `**Needs**\n\n${fieldsOf(inputSchema, 'Any JSON value; {} when none is given.')}`,
    `**Produces**\n\n${produces}`,
    ...does,
    ...(examples.length === 0 ? [] : [`**Examples** ${examples.map(({ name }) => name).join('; ')}`]),
    ...(expose ? ['**Exposed** as an MCP tool of its own.'] : []),
  ].join('\n\n');
}
