// The only tool that is not an operation: reads guides and links, for agents whose client does not support resources. Its
// result is a text, without structured content and so without an output schema: long texts would otherwise be sent twice.
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { Issue } from '../../../shared/issues.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { invalidInput } from '../../lib/rejection.ts';
import { compileOwnSchema } from '../../lib/schemas/index.ts';
import type { Call } from '../../operations/index.ts';
import type { Endpoint } from './endpoint.ts';
import { MOST_SHOWN } from './links.ts';
import type { Resources } from './resources.ts';
import { lightened } from './schemas.ts';

export const READING_TOOL = 'read_resource';

const INPUT = {
  type: 'object',
  properties: {
    uri: {
      type: 'string',
      maxLength: 2000,
      description: 'The address.',
    },
    offset: {
      type: 'integer',
      minimum: 0,
      maximum: 2 ** 31 - 1,
      description: 'The first character. Default: 0.',
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
    description: `Use to read a guide before you write a definition, and a value that a result replaces by a cuebook:// link. Guides are guide://NAME: ${guides.join(', ')}.`,
    inputSchema: lightened(INPUT as unknown as JsonObject) as Tool['inputSchema'],
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
  const rest = `Characters ${offset} to ${end} of ${text.length}; call ${READING_TOOL} again with offset ${end} for the next ones.`;
  return {
    content: [
      { type: 'text', text: text.slice(offset, end) },
      ...(end < text.length ? [{ type: 'text', text: rest } as const] : []),
    ],
  };
}
