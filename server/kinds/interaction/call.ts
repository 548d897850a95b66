// A `call`: one call of a tool, and what its end is as the run's.
import type { JsonObject } from '../../../shared/json.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { Ending, RunRequest } from '../run.ts';
import { splitTool, type ToolCallEnd, unfinished } from '../tools.ts';
import { type CallSection, TOOL_CALL_FAILURES, type ToolCallFailure } from './schema.ts';

/** @throws Refused `unavailable` kind `tool_not_offered` or `tool_server_failed`: nothing was sent */
export async function callTool(
  { tools, outputSchema }: Pick<RunRequest, 'tools' | 'outputSchema'>,
  call: CallSection,
  args: JsonObject,
  schemas: SchemaChecker,
): Promise<Ending> {
  const { server, tool } = splitTool(call.tool);
  const end = await tools.call(server, tool, args);
  if (end === undefined) return { status: 'failed', detail: `The service stopped before ${call.tool} answered.` };
  const record = { tool: call.tool, outcome: end.outcome };
  const withoutOutput = (because: string, detail: string): Ending => {
    const rejection = unfinished(end.readOnly ? 'reads' : 'effects', detail, because);
    return { status: 'rejected', rejection, record };
  };
  if (end.outcome !== 'result') {
    if (isListed(call, end.outcome)) {
      return { status: 'succeeded', output: { ending: end.outcome, text: end.text }, record };
    }
    return withoutOutput(end.outcome, endWords(call.tool, end));
  }
  const output = end.output();
  if (outputSchema === undefined) return { status: 'succeeded', output, record };
  const [issue] = await schemas.compileSchema(outputSchema, 'The output').check(output, '');
  if (issue === undefined) return { status: 'succeeded', output, record };
  const detail = `The result of ${call.tool} does not match \`output\`: ${issue.detail}`;
  return withoutOutput('output_invalid', detail);
}

function isListed({ endings = [] }: CallSection, outcome: ToolCallFailure): boolean {
  return TOOL_CALL_FAILURES.includes(outcome) && endings.includes(outcome);
}

function endWords(tool: string, { outcome, text }: ToolCallEnd): string {
  const MOST = 1000;
  const shortened = text.length > MOST ? `${text.slice(0, MOST).toWellFormed()}...` : text;
  return outcome === 'tool_error'
    ? `${tool} returned an error: ${shortened}`
    : `${tool} returned no result: ${shortened}`;
}
