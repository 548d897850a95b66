// One session with an MCP server, over whatever transport; every revision that the client speaks.
//
// 1. A call is sent once. The client sends again where a server asks for input or complains about headers: the first
//    is turned off, the second does not happen where the tool's definition is handed over.
// 2. Results are not checked against the output schemas that servers list: those are theirs, patterns included, and a
//    pattern of theirs could hold up the whole process.
// 3. Nothing is offered to servers: no sampling, no elicitation, no roots.
import {
  Client,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  type StandardSchemaV1,
  type Transport,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject } from '../../../../shared/json.ts';
import { PRODUCT } from '../../../../shared/product.ts';
import {
  type CallEnd,
  type FailedCall,
  type ListedTool,
  type ToolListing,
  MOST_TOOLS,
  ServerFault,
} from '../server.ts';
import { answeredOf, describeTools, listedTool } from './content.ts';
import type { LargeMessages } from './large-messages.ts';
import { BROKEN_OFF } from './remote-transport.ts';
import { createWholeResults, type WholeResults } from './whole-results.ts';

/** The client's own timers do not count: deadlines are signals. */
const NO_TIMEOUT = { timeout: 2 ** 31 - 1 } as const;
const INVALID_PARAMS: number = ProtocolErrorCode.InvalidParams;
const MOST_PAGES = 20;

export interface Session {
  /** Whether the server speaks a revision before 2026-07-28. */
  isLegacy: boolean;
  list: (signal: AbortSignal) => Promise<ToolListing>;
  call: (tool: ListedTool, args: JsonObject, signal: AbortSignal, requestId: string | undefined) => Promise<CallEnd>;
  close: () => Promise<void>;
}

/** What went wrong where the transport knows better than the client. */
export type Explained = Pick<FailedCall, 'detail' | 'retryAfter'> & { because: 'too_large' | 'server_failure' };
export type Explain = () => Explained | undefined;

export interface SessionOptions {
  /** This product's own. */
  version: string;
  negotiation: VersionNegotiationOptions;
  explain: Explain;
  largeMessages: LargeMessages;
  onToolsChanged?: () => void;
  onClose?: () => void;
}

/** Connects; passes on whatever the client throws. */
export async function openSession(
  transport: Transport,
  options: SessionOptions,
  signal: AbortSignal,
): Promise<Session> {
  const client = new Client(
    { name: PRODUCT, version: options.version },
    {
      capabilities: {},
      versionNegotiation: options.negotiation,
      inputRequired: { autoFulfill: false },
      jsonSchemaValidator: {
        getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
      },
    },
  );
  // What servers say out of turn is nobody's error. (The client is no EventTarget.)
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  client.onerror = () => undefined;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  if (options.onClose !== undefined) client.onclose = options.onClose;
  if (options.onToolsChanged !== undefined) {
    client.setNotificationHandler('notifications/tools/list_changed', options.onToolsChanged);
  }
  const wholeResults = createWholeResults();
  // The client calls a handler that is already there before its own.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  transport.onmessage = wholeResults.hold;
  await client.connect(transport, { ...NO_TIMEOUT, signal });
  return {
    isLegacy: client.getProtocolEra() === 'legacy',
    list: (until) => listTools(client, options.largeMessages, until),
    call: (tool, args, until, requestId) =>
      callTool(client, tool, args, until, {
        requestId,
        explain: options.explain,
        largeMessages: options.largeMessages,
        wholeResults,
      }),
    close: () => client.close(),
  };
}

/** The client refuses the whole list for one entry that is wrong: entries are looked at here, one by one. */
const ANY_LIST: StandardSchemaV1<unknown, JsonObject> = {
  '~standard': {
    version: 1,
    vendor: PRODUCT,
    validate: (value) => ({ value: isJsonObject(value) ? value : {} }),
  },
};

async function listTools(client: Client, largeMessages: LargeMessages, signal: AbortSignal): Promise<ToolListing> {
  if (client.getServerCapabilities()?.tools === undefined) return { tools: [], leftOut: [] };
  const tools = new Map<string, ListedTool>();
  const leftOut: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each page names the next
    const listed = await client.request(
      { method: 'tools/list', ...(cursor === undefined ? {} : { params: { cursor } }) },
      ANY_LIST,
      { ...NO_TIMEOUT, signal },
    );
    const { tools: entries, nextCursor } = listed;
    if (!Array.isArray(entries)) throw new ServerFault('failing', 'The server responded without a list of tools.');
    const large = largeMessages.takeFor(listed);
    const described = typeof large === 'object' ? large : describeTools(entries);
    leftOut.push(...described.leftOut);
    for (const tool of described.tools) if (!tools.has(tool.name)) tools.set(tool.name, listedTool(tool));
    if (tools.size + leftOut.length > MOST_TOOLS) break;
    if (typeof nextCursor !== 'string') return { tools: [...tools.values()], leftOut };
    cursor = nextCursor;
  }
  throw new ServerFault('failing', `The server lists more than ${MOST_TOOLS} tools, or more than ${MOST_PAGES} pages.`);
}

async function callTool(
  client: Client,
  { name, inputSchema }: ListedTool,
  args: JsonObject,
  signal: AbortSignal,
  {
    requestId,
    explain,
    largeMessages,
    wholeResults,
  }: { requestId: string | undefined; wholeResults: WholeResults } & Pick<SessionOptions, 'explain' | 'largeMessages'>,
): Promise<CallEnd> {
  try {
    // Without its output schema, for the reason above.
    const toolDefinition = { name, inputSchema: inputSchema() } as never;
    const result: unknown = await client.callTool({ name, arguments: args }, { ...NO_TIMEOUT, signal, toolDefinition });
    const message = largeMessages.takeFor(result);
    if (typeof message === 'string') return { kind: 'large', form: 'mcp', message, requestIdName: requestId };
    const whole = wholeResults.takeFor(result) ?? result;
    if (isJsonObject(whole)) return answeredOf(whole, requestId);
    return failed('server_failure', 'The server returned a result that is not an object.');
  } catch (error) {
    // An error of the protocol is the server's own answer, whatever its status.
    const isAnswer = error instanceof ProtocolError && error.code !== BROKEN_OFF;
    const known = isAnswer ? undefined : explain();
    return known === undefined ? failureOf(error) : { kind: 'failed', ...known };
  }
}

function failureOf(error: unknown): FailedCall {
  if (isEnd(error)) return failed('server_failure', 'The connection to the server ended before its answer had come.');
  if (error instanceof ProtocolError) {
    const serverMessage = error.message;
    if (error.code === INVALID_PARAMS)
      return failed('arguments_refused', 'The server refused the arguments.', serverMessage);
    return failed('server_failure', `The server returned the error ${error.code}.`, serverMessage);
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.UnsupportedResultType) {
    return failed('server_failure', 'The server requests input before it responds, and no input can be provided.');
  }
  return failed('server_failure', "The server's response could not be read.");
}

function isEnd(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === BROKEN_OFF;
  return error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed;
}

function failed(because: FailedCall['because'], detail: string, serverMessage?: string): FailedCall {
  return { kind: 'failed', because, detail, ...(serverMessage === undefined ? {} : { serverMessage }) };
}
