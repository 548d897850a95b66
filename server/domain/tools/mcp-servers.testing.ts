// Real MCP servers over HTTP for tests, of the newest revision and of an older one.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server as OlderServer } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../../shared/json.ts';
import { serveHttp } from '../../lib/http-client/testing.ts';

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: JsonObject | undefined;
}

export interface McpTestServer {
  url: URL;
  seen: SeenRequest[];
  /** How often tools were called. */
  calls: () => number;
}

const ADD = {
  type: 'object',
  required: ['a', 'b'],
  properties: { a: { type: 'number' }, b: { type: 'number' } },
} as const;

/** What stands before the server: true when it has answered. */
export type Guard = (request: IncomingMessage, response: ServerResponse) => boolean;

interface TestServerOptions {
  guard?: Guard;
  responseMode?: 'auto' | 'sse';
}

/** Of revision 2026-07-28 alone. */
export async function serveNewest({ guard, responseMode = 'auto' }: TestServerOptions = {}): Promise<McpTestServer> {
  const seen: SeenRequest[] = [];
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'newest', version: '1' });
      server.registerTool(
        'add',
        { description: 'Adds two numbers.', inputSchema: fromJsonSchema(ADD), annotations: { readOnlyHint: true } },
        (given) => {
          const { a, b } = given as { a: number; b: number };
          return { content: [{ type: 'text', text: String(a + b) }], structuredContent: { sum: a + b } };
        },
      );
      return server;
    },
    { legacy: 'reject', responseMode },
  );
  const url = await serveHttp((request, response) => {
    if (guard?.(request, response) === true) return;
    void (async () => {
      const text = await textOf(request);
      seen.push(seenRequest(request, text));
      const answer = await handler.fetch(
        new Request(`http://127.0.0.1${request.url}`, {
          method: request.method ?? 'POST',
          headers: Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
          ...(text === '' ? {} : { body: text }),
        }),
      );
      response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'x-request-id': 'req-7' });
      for await (const chunk of answer.body ?? []) response.write(chunk);
      response.end();
    })();
  });
  return { url: new URL('mcp', url), seen, calls: () => callsIn(seen) };
}

/** Of revision 2025-11-25 and before, with sessions. */
export async function serveOlder({
  guard,
}: TestServerOptions = {}): Promise<McpTestServer & { sessions: () => number }> {
  const seen: SeenRequest[] = [];
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const url = await serveHttp((request, response) => {
    if (guard?.(request, response) === true) return;
    void (async () => {
      const text = await textOf(request);
      seen.push(seenRequest(request, text));
      const known = sessions.get(String(request.headers['mcp-session-id']));
      const transport = known ?? (await olderTransport(sessions));
      await transport.handleRequest(request, response, text === '' ? undefined : JSON.parse(text));
    })();
  });
  return { url: new URL('mcp', url), seen, calls: () => callsIn(seen), sessions: () => sessions.size };
}

async function olderTransport(sessions: Map<string, StreamableHTTPServerTransport>) {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  const server = new OlderServer({ name: 'older', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async ({ params }) =>
    params?.cursor === undefined
      ? {
          tools: [{ name: 'add', description: 'Adds.', inputSchema: { ...ADD, required: [...ADD.required] } }],
          nextCursor: '2',
        }
      : { tools: [{ name: 'refuse', inputSchema: { type: 'object' } }] },
  );
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    if (params.name === 'refuse') throw new McpError(-32602, 'The arguments are no good.');
    const { a, b } = params.arguments as { a: number; b: number };
    return { content: [{ type: 'text', text: String(a + b) }], _meta: { 'x-request-id': 'meta-7' } };
  });
  await server.connect(transport);
  return transport;
}

/** Of revision 2025-06-18: lists the tools and returns the results as they are, valid or not. */
export function serveTools(tools: readonly JsonObject[], call: (params: JsonObject) => JsonObject): Promise<URL> {
  const about = {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'raw', version: '1' },
  };
  return serveHttp((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    void textOf(request).then((text) => {
      const { id, method, params } = JSON.parse(text) as JsonObject;
      if (id === undefined) return response.writeHead(202).end();
      const result =
        method === 'initialize'
          ? about
          : method === 'tools/list'
            ? { tools: [...tools] }
            : method === 'tools/call'
              ? call(params as JsonObject)
              : undefined;
      const answer = result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result };
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ jsonrpc: '2.0', id: id ?? null, ...answer }));
    });
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

function seenRequest({ method = '', url = '', headers }: IncomingMessage, text: string): SeenRequest {
  return { method, url, headers, body: text === '' ? undefined : (JSON.parse(text) as JsonObject) };
}

function callsIn(seen: readonly SeenRequest[]): number {
  return seen.filter(({ body }) => body?.['method'] === 'tools/call').length;
}
