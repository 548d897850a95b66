// What an overview says of an interaction beside what it says of every function.
import { durationText } from '../../lib/duration.ts';
import { code } from '../../lib/schemas/index.ts';
import { EXPIRES_DEFAULT } from '../document/index.ts';
import type { InteractionDocument } from './schema.ts';

export function doesWords(document: InteractionDocument): string[] {
  const tools = toolsOf(document);
  return [
    `**Does** ${actionWords(document)}`,
    ...(tools.length === 0 ? [] : [`**Tools** ${tools.map(code).join(', ')}`]),
  ];
}

/** What it produces where it names neither a schema nor a shape. */
export function givesWords({ tell }: InteractionDocument): string {
  return tell === undefined ? "The tool's result." : '`{ delivered: true }`.';
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

function actionWords({ ask, tell, call }: InteractionDocument): string {
  const way = (tool: string | undefined): string => (tool === undefined ? 'in the inbox' : `through ${code(tool)}`);
  if (ask !== undefined) {
    const { deliver, to, expires } = ask;
    const replies = deliver?.replies === undefined ? '' : ` Replies are read through ${code(deliver.replies.tool)}.`;
    return `Asks ${code(to)} ${way(deliver?.tool)} and waits for the answer, at most ${durationText(expires ?? EXPIRES_DEFAULT)}.${replies}`;
  }
  if (tell !== undefined) return `Notifies ${code(tell.to)} ${way(tell.deliver?.tool)}.`;
  const endings = call?.endings ?? [];
  const also = endings.length === 0 ? '' : ` These endings are returned as output: ${endings.join(', ')}.`;
  return `Calls the tool ${code(call?.tool ?? '')} once.${also}`;
}
