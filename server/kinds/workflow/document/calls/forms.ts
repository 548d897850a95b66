// The forms of `call` that are recognized by their keywords, and those of the standard that are refused.
import type { CallForm } from './form.ts';
import { HTTP } from './http.ts';
import { MCP } from './mcp.ts';
import { OPENAPI } from './openapi.ts';
import { TOOL } from './tool.ts';

export const CALL_FORMS = { http: HTTP, openapi: OPENAPI, mcp: MCP, tool: TOOL } as const satisfies Record<
  string,
  CallForm
>;

/** What `call` says for a form of its own; the engine has its part of each. */
export type CallKeyword = keyof typeof CALL_FORMS;

export const CALL_KEYWORDS: readonly string[] = Object.keys(CALL_FORMS);

export function callFormOf(call: string): CallForm | undefined {
  return Object.hasOwn(CALL_FORMS, call) ? CALL_FORMS[call as CallKeyword] : undefined;
}

const BY_TOOL = 'connect a tool server for it and use `call: tool`';

/** Calls that the standard has and we have not: why, and what to do instead. */
export const REFUSED_CALLS: Readonly<Record<string, string>> = {
  grpc: `is not supported: gRPC needs generated code; ${BY_TOOL}, or use \`call: http\` if the service offers it`,
  asyncapi: `is not supported; to receive messages, \`listen\` to events of the playbook; to send them, \`emit\`; or ${BY_TOOL}`,
  a2a: `is not supported; ${BY_TOOL}, or use \`call: http\` if the agent offers it`,
};
