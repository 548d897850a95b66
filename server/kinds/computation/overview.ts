import { fieldsOf } from '../../kernel/schemas/index.ts';
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
