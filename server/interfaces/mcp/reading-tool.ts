// The only tool that is not an operation: reads guides and links, for agents whose client does not support resources.
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { Issue } from '../../../shared/issues.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { invalidInput } from '../../lib/rejection.ts';
import { compileOwnSchema } from '../../lib/schemas/index.ts';
import type { Call } from '../../operations/index.ts';
import type { Endpoint } from './endpoint.ts';
import { MOST_SHOWN } from './links.ts';
import type { Resources } from './resources.ts';
import { answerResult } from './results.ts';

export const READING_TOOL = 'read_resource';

const INPUT = {
  type: 'object',
  properties: {
    uri: {
      type: 'string',
      maxLength: 2000,
      description: 'The address, exactly as it was returned.',
      examples: ['guide://start'],
    },
    offset: {
      type: 'integer',
      minimum: 0,
      maximum: 2 ** 31 - 1,
      description: 'The first character to return. Default: 0.',
    },
  },
  required: ['uri'],
  additionalProperties: false,
} as const;

const check: (value: unknown, pointer: string) => Issue[] = compileOwnSchema(INPUT);

export function readingTool(guides: readonly string[]): Tool {
  return {
    name: READING_TOOL,
    title: 'Read a guide or a linked value',
    description: `Use to read a guide before you write a definition, and to read a value that a result contains as a cuebook:// link. Guides are guide://NAME: ${guides.join(', ')}. Returns at most ${MOST_SHOWN} characters of the text; pass \`next_offset\` as \`offset\` to read the rest.`,
    inputSchema: INPUT as unknown as Tool['inputSchema'],
    outputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string' },
        characters: { type: 'integer' },
        next_offset: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      },
      required: ['characters', 'next_offset'],
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
}

/** @throws Refused */
export async function readByTool(
  given: JsonObject,
  endpoint: Endpoint,
  call: Call,
  resources: Resources,
): Promise<CallToolResult> {
  const issues = check(given, '');
  if (issues.length > 0) throw invalidInput(issues);
  const { uri, offset = 0 } = given as { uri: string; offset?: number };
  const { text } = await resources.read(uri, endpoint, call);
  const end = Math.min(offset + MOST_SHOWN, text.length);
  const value = {
    text: text.slice(offset, end),
    characters: text.length,
    next_offset: end < text.length ? end : null,
  };
  return answerResult(value, []);
}
