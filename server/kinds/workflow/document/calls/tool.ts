import type { JsonObject } from '../../../../../shared/json.ts';
import { wholeExpression } from '../../../../lib/jq/index.ts';
import { object, text, textOrObject } from '../schema/build.ts';
import { code } from '../schema/sentences.ts';
import { EXPRESSION, OPEN_OBJECT } from '../schema/values.ts';
import { shown } from '../words.ts';
import type { CallForm } from './form.ts';

export const TOOL: CallForm = {
  with: object(
    {
      tool: text('must be a tool, written SERVER/TOOL'),
      arguments: textOrObject({ text: EXPRESSION, object: OPEN_OBJECT }, 'must be an object, or an expression in ${ }'),
    },
    { required: ['tool'], message: 'must be { tool: SERVER/TOOL, arguments }' },
  ),
  words: ({ tool }) => `calls the tool ${shown(tool)}`,
  tool: literalTool,
  checkReach(given, at, { whyToolUnavailable }, findings) {
    const tool = literalTool(given);
    if (tool === undefined) return;
    const pointer = `${at}/tool`;
    if (!/^[^/\s]+\/\S+$/.test(tool)) {
      return findings.error(pointer, `${code(tool)} is not a tool; write SERVER/TOOL.`);
    }
    const reason = whyToolUnavailable?.(tool);
    if (reason === undefined) return;
    const detail = `The playbook cannot use the tool ${code(tool)}; the operator or a connection can offer it.`;
    findings.warn(pointer, `${detail} ${reason}`);
  },
};

/** The form as the standard would have it, for editors. */
export const TOOL_SCHEMA: JsonObject = {
  title: 'CallTool',
  description: 'Calls a tool of a connected server.',
  type: 'object',
  required: ['call', 'with'],
  allOf: [
    { $ref: '#/$defs/taskBase' },
    {
      properties: {
        call: { const: 'tool' },
        with: {
          type: 'object',
          required: ['tool'],
          properties: {
            tool: { type: 'string', description: 'A tool, as SERVER/TOOL.' },
            arguments: { type: 'object', description: "The tool's arguments, or an expression in ${ }." },
          },
        },
      },
    },
  ],
};

function literalTool({ tool }: JsonObject): string | undefined {
  return typeof tool === 'string' && wholeExpression(tool) === undefined ? tool : undefined;
}
