// What kinds know of tool servers.
import type { Json, JsonObject } from '../../shared/json.ts';
import type { PlaybookKey } from '../kernel/log/index.ts';
import { type Rejection, unavailable } from '../lib/rejection.ts';
import type { Scrubber } from '../lib/scrub/index.ts';

/** SERVER/TOOL in its two names; a tool's own may hold a slash. */
export function splitTool(written: string): { server: string; tool: string } {
  const slash = written.indexOf('/');
  return { server: written.slice(0, slash), tool: written.slice(slash + 1) };
}

/** A tool of a tool server that the playbook may use. */
export interface RunTool {
  server: string;
  tool: string;
  description: string;
  /** Made when it is asked for: of many tools few are used. */
  inputSchema: () => JsonObject;
  /** Whether its server says that it changes nothing. */
  readOnly: boolean;
}

/** How a call of a tool ended. */
export interface ToolCallEnd {
  outcome: 'result' | 'tool_error' | 'server_failure' | 'timed_out' | 'too_large';
  /** What a model sees; for a failure, why in words. */
  text: string;
  /** Structured content of the result, where there is one. */
  answer?: Json;
  /** The result whole: structured content, else JSON of its text, else `{ text }`. Made when it is asked for. */
  output: () => Json;
  readOnly: boolean;
}

/** What a run called: nothing, tools that only read, or one that may change something. */
export type ToolsCalled = 'none' | 'reads' | 'effects';

/** The tools that a run may call. Nothing of a call is sent before the run's history says that it starts. */
export interface RunTools {
  /** Asks no server. @throws Refused `unavailable` kind `tool_not_offered` for a tool that the operator does not allow */
  requireAllowed(server: string, tool: string): void;
  /** @throws Refused `unavailable` kind `tool_not_offered` or `tool_server_failed` */
  list(server: string): Promise<readonly RunTool[]>;
  /**
   * Calls a tool once. Undefined when the run's signal was aborted before the end.
   * @throws Refused `unavailable` kind `tool_not_offered` or `tool_server_failed`: nothing was sent
   */
  call(server: string, tool: string, args: JsonObject): Promise<ToolCallEnd | undefined>;
  /** What the run called so far: a call counts from the moment on in which history says that it starts. */
  used(): ToolsCalled;
}

/** What ends a run that called a tool and has no output: it says what is known of the call's effect. */
export function unfinished(called: Exclude<ToolsCalled, 'none'>, detail: string, because?: string): Rejection {
  const cause = because === undefined ? {} : { because };
  const first = detail === 'interrupted' ? 'The run was interrupted.' : detail;
  return called === 'reads'
    ? { reason: 'unavailable', kind: 'tools_unfinished', ...cause, detail: `${first} ${READS}` }
    : { reason: 'conflict', kind: 'effect_unknown', ...cause, detail: `${first} ${EFFECTS}` };
}

const READS = 'It called only read-only tools, so it is safe to retry with a new run id.';
const EFFECTS = 'It called a tool, and it is unknown whether that changed anything.';

/** A call of a tool that is about to be sent, as history shows it: scrubbed. */
export interface ToolCallStart {
  server: string;
  tool: string;
  /** Whether its server says that it changes nothing. */
  readOnly: boolean;
  arguments: JsonObject;
  /** Whether the content of the call is kept. */
  keepsContent: boolean;
}

/** What a tool gave as JSON, with its bytes, and how many values and names of members it holds. */
interface ToolJson {
  text: string;
  bytes: number;
  values: number;
}

/** How a call that was sent ended, as history shows it: scrubbed. */
export interface ToolCallDone extends ToolCallStart {
  outcome: ToolCallEnd['outcome'];
  /** Why there is no result; absent where there is one. */
  because?: 'arguments_refused' | 'server_failure' | 'timed_out' | 'cancelled' | 'too_large';
  text: string;
  /** What a function gives as the call's output: structured content, else JSON text, else `{ text }`. */
  output: () => Json;
  /** That output as JSON, where there is a result. */
  outputJson?: ToolJson;
  /** The whole result as JSON, where there is one. */
  result?: ToolJson & { sha256: string };
  resultBytes: number | null;
  durationMs: number;
}

/** How an MCP server is reached. */
export type McpServerAt = { address: string } | { command: string; arguments: readonly string[] };

/** Which tools a playbook may use, as far as that is known without asking any server. */
export interface PlaybookTools {
  /** Why the playbook may not use the tool now, in a sentence; undefined where nothing speaks against it. `*` is any tool. */
  whyUnavailable: (place: PlaybookKey, server: string, tool: string) => string | undefined;
}

/** The tools that the workflows of a playbook may call. Whoever calls records the call. */
export interface WorkflowTools extends PlaybookTools {
  /** The name of the tool server that is reached so, of those that the playbook may use. */
  findMcpServer: (place: PlaybookKey, at: McpServerAt) => string | undefined;
  /** @throws Refused `unavailable` kind `tool_not_offered` or `tool_server_failed` */
  list: (
    place: PlaybookKey,
    server: string,
  ) => Promise<readonly { tool: string; description: string; inputSchema: () => JsonObject; annotations?: object }[]>;
  /**
   * Calls a tool once. Undefined when the signal was aborted before the end.
   * @throws Refused as `list`, before anything was sent, and whatever `beforeSending` throws
   */
  call: (
    place: PlaybookKey,
    server: string,
    tool: string,
    args: JsonObject,
    options: {
      signal?: AbortSignal;
      /** Takes the caller's own secrets out of all that is told of the call, before it is cut. */
      scrubber?: Scrubber;
      beforeSending: (start: ToolCallStart) => Promise<void>;
    },
  ) => Promise<ToolCallDone | undefined>;
}

/** For documents that are checked without a service around them, as `cuebook test` does: nothing is doubtful. */
export const ANY_TOOLS: PlaybookTools = {
  whyUnavailable: () => undefined,
};

/** For runs without a service around them, as examples are: no tool server is set up. */
export const NO_TOOLS: RunTools = {
  requireAllowed: (server) => refuse(server),
  list: async (server) => refuse(server),
  call: async (server) => refuse(server),
  used: () => 'none',
};

function refuse(server: string): never {
  throw unavailable(`No tool server ${server.slice(0, 64)} is set up here.`, {
    kind: 'tool_not_offered',
    because: 'tool_server_not_configured',
  });
}
