// The interface between kinds and tool servers.
import type { Json, JsonObject } from '../../shared/json.ts';
import type { PlaybookKey } from '../kernel/log/index.ts';
import { type Rejection, unavailable } from '../lib/rejection.ts';
import type { Scrubber } from '../lib/scrub/index.ts';

/** Splits SERVER/TOOL; the name of a tool may contain a slash. */
export function splitTool(written: string): { server: string; tool: string } {
  const slash = written.indexOf('/');
  return { server: written.slice(0, slash), tool: written.slice(slash + 1) };
}

/** A tool of a tool server that the playbook may use. */
export interface RunTool {
  server: string;
  tool: string;
  description: string;
  /** Created on demand, because few of many tools are used. */
  inputSchema: () => JsonObject;
  /** Whether its server marks it as read-only. */
  readOnly: boolean;
}

/** How a call of a tool ended. */
export interface ToolCallEnd {
  outcome: 'result' | 'tool_error' | 'server_failure' | 'timed_out' | 'too_large';
  /** The text for a model; for a failure, the reason. */
  text: string;
  /** The structured content of the result, if any. */
  answer?: Json;
  /** The complete result: structured content, or else its text parsed as JSON, or else `{ text }`. Created on demand. */
  output: () => Json;
  readOnly: boolean;
}

/** What a run called: no tools, only read-only tools, or a tool that may change something. */
export type ToolsCalled = 'none' | 'reads' | 'effects';

/** The tools that a run may call. A call is sent only after its start was recorded in the run's history. */
export interface RunTools {
  /** Sends no request. @throws Refused `unavailable` kind `tool_not_offered` for a tool that the operator does not allow */
  requireAllowed(server: string, tool: string): void;
  /** @throws Refused `unavailable` kind `tool_not_offered` or `tool_server_failed` */
  list(server: string): Promise<readonly RunTool[]>;
  /**
   * Calls a tool once. Undefined if the run's signal was aborted before the end.
   * @throws Refused `unavailable` kind `tool_not_offered` or `tool_server_failed`: nothing was sent
   */
  call(server: string, tool: string, args: JsonObject): Promise<ToolCallEnd | undefined>;
  /** What the run called so far; a call counts once its start is recorded. */
  used(): ToolsCalled;
}

/** The rejection of a run that called a tool and has no output. */
export function unfinished(called: Exclude<ToolsCalled, 'none'>, detail: string, because?: string): Rejection {
  const cause = because === undefined ? {} : { because };
  const first = detail === 'interrupted' ? 'The run was interrupted.' : detail;
  return called === 'reads'
    ? { reason: 'unavailable', kind: 'tools_unfinished', ...cause, detail: `${first} ${READS}` }
    : { reason: 'conflict', kind: 'effect_unknown', ...cause, detail: `${first} ${EFFECTS}` };
}

const READS = 'It called only read-only tools, so it is safe to retry with a new run id.';
const EFFECTS = 'It called a tool, and it is unknown whether that changed anything.';

/** The start of a tool call for the history; scrubbed. */
export interface ToolCallStart {
  server: string;
  tool: string;
  /** Whether its server marks it as read-only. */
  readOnly: boolean;
  arguments: JsonObject;
  /** Whether the content of the call is recorded. */
  keepsContent: boolean;
}

/** The result of a tool as JSON, its size, and its number of values and member names. */
interface ToolJson {
  text: string;
  bytes: number;
  values: number;
}

/** The end of a tool call for the history; scrubbed. */
export interface ToolCallDone extends ToolCallStart {
  outcome: ToolCallEnd['outcome'];
  /** Why there is no result; absent if there is one. */
  because?: 'arguments_refused' | 'server_failure' | 'timed_out' | 'cancelled' | 'too_large';
  text: string;
  /** The output of the call: structured content, or else its text parsed as JSON, or else `{ text }`. */
  output: () => Json;
  /** This output as JSON, if there is a result. */
  outputJson?: ToolJson;
  /** The complete result as JSON, if any. */
  result?: ToolJson & { sha256: string };
  resultBytes: number | null;
  durationMs: number;
}

/** The address or command of an MCP server. */
export type McpServerAt = { address: string } | { command: string; arguments: readonly string[] };

/** Which tools a playbook may use, as far as is known without a request to a server. */
export interface PlaybookTools {
  /** Why the playbook may not use the tool now; undefined if it may. `*` is any tool. */
  whyUnavailable: (playbookKey: PlaybookKey, server: string, tool: string) => string | undefined;
}

/** The tools that the workflows of a playbook may call. The caller records the call. */
export interface WorkflowTools extends PlaybookTools {
  /** The name of the tool server at this address, if the playbook may use one. */
  findMcpServer: (playbookKey: PlaybookKey, at: McpServerAt) => string | undefined;
  /**
   * @param onTurn called when it is the turn of the question
   * @throws Refused `unavailable` kind `tool_not_offered` or `tool_server_failed`
   */
  list: (
    playbookKey: PlaybookKey,
    server: string,
    onTurn?: () => void,
  ) => Promise<readonly { tool: string; description: string; inputSchema: () => JsonObject; annotations?: object }[]>;
  /**
   * Calls a tool once. Undefined if the signal was aborted before the end.
   * @throws Refused like `list`, before anything was sent, and everything that `beforeSending` throws
   */
  call: (
    playbookKey: PlaybookKey,
    server: string,
    tool: string,
    args: JsonObject,
    options: {
      signal?: AbortSignal;
      /** Called when it is the turn of the call. */
      onTurn?: () => void;
      /** Removes the caller's own secrets from everything that is recorded about the call, before it is cut. */
      scrubber?: Scrubber;
      beforeSending: (start: ToolCallStart) => Promise<void>;
    },
  ) => Promise<ToolCallDone | undefined>;
}

/** For documents that are checked without a service, as by `cuebook test`: every tool is allowed. */
export const ANY_TOOLS: PlaybookTools = {
  whyUnavailable: () => undefined,
};

/** For runs without a service, such as examples: no tool server is configured. */
export const NO_TOOLS: RunTools = {
  requireAllowed: (server) => refuse(server),
  list: async (server) => refuse(server),
  call: async (server) => refuse(server),
  used: () => 'none',
};

function refuse(server: string): never {
  throw unavailable(`No tool server named ${server.slice(0, 64)} is configured.`, {
    kind: 'tool_not_offered',
    because: 'tool_server_not_configured',
  });
}
