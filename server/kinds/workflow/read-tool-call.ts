// What `call: tool` and the standard's `call: mcp` ask for. Expressions have been evaluated: every text is data.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import { type McpServerAt, splitTool, type WorkflowTools } from '../tools.ts';
import { addDuration, parseDuration } from '../../lib/duration.ts';

interface ToolCall {
  do: 'call';
  server: string;
  tool: string;
  arguments: JsonObject;
  /** `result`: the whole result, as the protocol has it. */
  gives: 'output' | 'result';
}

interface ToolList {
  do: 'list';
  server: string;
}

export type ToolServerCall = (ToolCall | ToolList) & {
  /** How long it may take, where the document says so, in milliseconds. */
  limit?: number;
};

export type CallRead =
  | { ok: true; call: ToolServerCall }
  | { ok: false; type: 'configuration' | 'validation'; detail: string };

export function readToolCall(given: JsonObject): CallRead {
  const parts = toolNameParts(given['tool']);
  if (parts === undefined) return misconfigured('`tool` must be a tool, written SERVER/TOOL.');
  const args = argumentsOf(given['arguments']);
  if (args === undefined) return invalid('`arguments` must be an object.');
  return { ok: true, call: { do: 'call', ...parts, arguments: args, gives: 'output' } };
}

/** What is written, where it has the form SERVER/TOOL. */
export function toolNameParts(written: Json | undefined): { server: string; tool: string } | undefined {
  return typeof written === 'string' && /^[^/\s]+\/\S+$/.test(written) ? splitTool(written) : undefined;
}

/** The standard names a server by its address or command; it is called where a tool server has the same. */
export function readMcpCall(given: JsonObject, playbookKey: PlaybookKey, tools: WorkflowTools | undefined): CallRead {
  const at = serverAt(given['transport']);
  if (at === undefined) return misconfigured('`transport` must name the address or the command of a server.');
  const server = tools?.findMcpServer(playbookKey, at);
  if (server === undefined) {
    const what = 'address' in at ? 'address' : 'command';
    return misconfigured(`No tool server that this playbook may use has the ${what} that \`transport\` names.`);
  }
  const limit = limitOf(given['timeout']);
  if (limit === undefined && (given['timeout'] ?? null) !== null) {
    return misconfigured('`timeout` must be a duration: PT30S or { seconds: 30 }.');
  }
  const bounded = limit === undefined ? {} : { limit };
  const parameters = given['parameters'] ?? {};
  if (!isJsonObject(parameters)) return invalid('`parameters` must be an object.');
  switch (given['method']) {
    case 'tools/list':
      return { ok: true, call: { do: 'list', server, ...bounded } };
    case 'tools/call': {
      const { name } = parameters;
      if (typeof name !== 'string' || name === '') return invalid('`parameters.name` must be the name of a tool.');
      const args = argumentsOf(parameters['arguments']);
      if (args === undefined) return invalid('`parameters.arguments` must be an object.');
      return { ok: true, call: { do: 'call', server, tool: name, arguments: args, gives: 'result', ...bounded } };
    }
    default:
      return misconfigured('Of the MCP methods, only `tools/list` and `tools/call` are supported.');
  }
}

function serverAt(transport: Json | undefined): McpServerAt | undefined {
  if (!isJsonObject(transport)) return undefined;
  const { http, stdio } = transport;
  if (isJsonObject(http)) {
    const { endpoint } = http;
    const address = isJsonObject(endpoint) ? endpoint['uri'] : endpoint;
    return typeof address === 'string' ? { address } : undefined;
  }
  if (!isJsonObject(stdio) || typeof stdio['command'] !== 'string') return undefined;
  const args = stdio['arguments'];
  return { command: stdio['command'], arguments: Array.isArray(args) ? args.map(String) : [] };
}

function argumentsOf(value: Json | undefined): JsonObject | undefined {
  const given = value ?? {};
  return isJsonObject(given) ? given : undefined;
}

function limitOf(value: Json | undefined): number | undefined {
  if (typeof value !== 'string' && !isJsonObject(value)) return undefined;
  const parsed = parseDuration(value);
  return parsed === undefined ? undefined : addDuration(0, parsed);
}

function misconfigured(detail: string): CallRead {
  return { ok: false, type: 'configuration', detail };
}

function invalid(detail: string): CallRead {
  return { ok: false, type: 'validation', detail };
}
