// The texts of a document that are templates or expressions, each with what it may use. Checking walks them, and so
// does nothing else: what is rendered is rendered by values.ts with the same names.
import type { Json } from '../../../shared/json.ts';
import { escapeToken } from '../../lib/json-pointer.ts';
import { wholeExpression } from '../../lib/jq/index.ts';
import type { InteractionDocument, ToolCall } from './schema.ts';

/** What a text may use beside the input. */
export type VariableName = 'message' | 'request' | 'conversation' | 'telling';

export interface DocumentText {
  pointer: string;
  text: string;
  /** `template`: Liquid; `expression`: jq, whose `.` is the input, or what a tool answered. */
  form: 'template' | 'expression';
  names: readonly VariableName[];
}

const REQUEST: readonly VariableName[] = ['request'];
const DELIVERY: readonly VariableName[] = ['message', 'request'];
const READING: readonly VariableName[] = [...DELIVERY, 'conversation'];
const TELLING: readonly VariableName[] = [...READING, 'telling'];

export function textsOf({ ask, tell, call }: InteractionDocument): DocumentText[] {
  const found: DocumentText[] = [];
  const template = (pointer: string, text: string | undefined, names: readonly VariableName[]): void => {
    if (text !== undefined) found.push({ pointer, text, form: 'template', names });
  };
  const expression = (pointer: string, text: string | undefined, names: readonly VariableName[]): void => {
    if (text !== undefined) found.push({ pointer, text, form: 'expression', names });
  };
  const values = (pointer: string, value: Json, names: readonly VariableName[]): void => {
    if (typeof value === 'string') {
      const form = wholeExpression(value) === undefined ? 'template' : 'expression';
      found.push({ pointer, text: value, form, names });
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) values(`${pointer}/${escapeToken(name)}`, member, names);
    }
  };
  const argumentsOf = (pointer: string, use: ToolCall | undefined, names: readonly VariableName[]): void =>
    values(`${pointer}/arguments`, use?.arguments ?? null, names);

  for (const [root, request] of [
    ['/ask', ask],
    ['/tell', tell],
  ] as const) {
    template(`${root}/to`, request?.to, []);
    template(`${root}/message`, request?.message, REQUEST);
    argumentsOf(`${root}/deliver`, request?.deliver, DELIVERY);
  }
  const deliver = ask?.deliver;
  expression('/ask/deliver/conversation', deliver?.conversation, DELIVERY);
  template('/ask/deliver/answerer', deliver?.answerer, REQUEST);
  argumentsOf('/ask/deliver/replies', deliver?.replies, READING);
  expression('/ask/deliver/replies/messages', deliver?.replies?.messages, READING);
  argumentsOf('/ask/deliver/telling', deliver?.telling, TELLING);
  argumentsOf('/call', call, []);
  return found;
}
