import { code } from '../../lib/schemas/index.ts';
import type { ReasoningDocument } from './document.ts';

const MOST_PROMPT = 4000;

/** What the overview says beside what it says of every function: the model, the tools and the prompt. */
export function doesWords({ model, tools = [], instructions, prompt }: ReasoningDocument): string[] {
  return [
    `**Does** Asks the model ${code(model)} and ends within its request.`,
    `**Tools** ${tools.length === 0 ? 'None.' : tools.map(code).join(', ')}`,
    ...(instructions === undefined ? [] : [`**Instructions**\n\n${quoted(instructions)}`]),
    `**Prompt**\n\n${quoted(prompt)}`,
  ];
}

/** As a block of its own, behind more backticks than it has itself. */
function quoted(text: string): string {
  const cut = text.length > MOST_PROMPT ? `${text.slice(0, MOST_PROMPT)}…` : text;
  const longest = Math.max(2, ...[...cut.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}liquid\n${cut.trim()}\n${fence}`;
}
