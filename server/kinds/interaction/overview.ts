// Markdown: what an interaction needs, produces and does.
import type { JsonObject } from '../../../shared/json.ts';
import { code, fieldsOf } from '../../kernel/schemas/index.ts';
import type { InteractionDocument } from './document.ts';

export interface OverviewParts {
  inputSchema: JsonObject | undefined;
  outputSchema: JsonObject | undefined;
  shape: string | undefined;
}

export function overviewOf(document: InteractionDocument, { inputSchema, outputSchema, shape }: OverviewParts): string {
  const { description, examples = [], expose } = document;
  const tools = toolsOf(document);
  const produces = shape === undefined ? fieldsOf(outputSchema, producesWords(document)) : `The shape ${code(shape)}.`;
  return [
    ...(description === undefined ? [] : [description.trim()]),
    `**Needs**\n\n${fieldsOf(inputSchema, 'Any JSON value; {} when none is given.')}`,
    `**Produces**\n\n${produces}`,
    `**Does** ${doesWords(document)}`,
    ...(tools.length === 0 ? [] : [`**Tools** ${tools.map(code).join(', ')}`]),
    ...(examples.length === 0 ? [] : [`**Examples** ${examples.map(({ name }) => name).join('; ')}`]),
    ...(expose === true ? ['**Exposed** as an MCP tool of its own.'] : []),
  ].join('\n\n');
}

/** The tools that a document names, each once. */
function toolsOf({ ask, tell, call }: InteractionDocument): string[] {
  const named = [
    ask?.deliver?.tool,
    ask?.deliver?.replies?.tool,
    ask?.deliver?.telling?.tool,
    tell?.deliver?.tool,
    call?.tool,
  ];
  return [...new Set(named.filter((tool) => tool !== undefined))];
}

function producesWords({ tell }: InteractionDocument): string {
  return tell === undefined ? "The tool's result." : '`{ delivered: true }`.';
}

function doesWords({ ask, tell, call }: InteractionDocument): string {
  const way = (tool: string | undefined): string => (tool === undefined ? 'in the inbox' : `through ${code(tool)}`);
  if (ask !== undefined) {
    const { deliver, to, expires } = ask;
    const replies = deliver?.replies === undefined ? '' : ` Replies are read through ${code(deliver.replies.tool)}.`;
    return `Asks ${code(to)} ${way(deliver?.tool)} and waits for the answer, at most ${expires ?? 'P7D'}.${replies}`;
  }
  if (tell !== undefined) return `Tells ${code(tell.to)} something ${way(tell.deliver?.tool)}.`;
  const endings = call?.endings ?? [];
  const also = endings.length === 0 ? '' : ` These endings are given on as output: ${endings.join(', ')}.`;
  return `Calls the tool ${code(call?.tool ?? '')} once.${also}`;
}
