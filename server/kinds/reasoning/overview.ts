import type { JsonObject } from '../../../shared/json.ts';
import { code, fieldsOf } from '../../kernel/schemas/index.ts';
import type { Example } from '../kind.ts';
import type { ReasoningDocument } from './document.ts';

interface Known {
  inputSchema: JsonObject | undefined;
  outputSchema: JsonObject | undefined;
  shape: string | undefined;
  examples: readonly Example[];
}

const MOST_PROMPT = 4000;

/** Markdown: what the function needs, produces and does, and its model, tools and prompt. */
export function overviewOf(document: ReasoningDocument, { inputSchema, outputSchema, shape, examples }: Known): string {
  const { description, model, tools = [], instructions, prompt, expose } = document;
  const produces = shape === undefined ? fieldsOf(outputSchema, 'Any JSON value.') : `The shape ${code(shape)}.`;
  return [
    ...(description === undefined ? [] : [description]),
    `**Needs**\n\n${fieldsOf(inputSchema, 'Any JSON value; {} when none is given.')}`,
    `**Produces**\n\n${produces}`,
    `**Does** Asks the model ${code(model)} and ends within its request.`,
    `**Tools** ${tools.length === 0 ? 'None.' : tools.map(code).join(', ')}`,
    ...(instructions === undefined ? [] : [`**Instructions**\n\n${quoted(instructions)}`]),
    `**Prompt**\n\n${quoted(prompt)}`,
    ...(examples.length === 0 ? [] : [`**Examples** ${examples.map(({ name }) => name).join('; ')}`]),
    ...(expose === true ? ['**Exposed** as an MCP tool of its own.'] : []),
  ].join('\n\n');
}

/** As a block of its own, behind more backticks than it has itself. */
function quoted(text: string): string {
  const cut = text.length > MOST_PROMPT ? `${text.slice(0, MOST_PROMPT)}…` : text;
  const longest = Math.max(2, ...[...cut.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}liquid\n${cut.trim()}\n${fence}`;
}
