// A chat as an MCP server on loopback, with threads that people write in, and ways to make it fail.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../../shared/json.ts';

export interface ChatMessage {
  ts: string;
  user: string;
  text: string;
  at?: string;
}

export interface Chat {
  /** What the configuration file says of it. */
  entry: JsonObject;
  thread(id: string): ChatMessage[];
  threads(): string[];
  /** A person writes. */
  write(thread: string, user: string, text: string, at?: string): void;
  /** How often a tool was called. */
  calls(tool: string): number;
  /** What a call of the tool does instead of its work; undefined: its work. */
  failing: { [tool: string]: (() => Promise<JsonObject>) | undefined };
  /** What every request is answered with before the server is asked: a status and headers. */
  refuseWith: { status: number; headers: Record<string, string> } | undefined;
  close(): Promise<void>;
}

const NAMES = { type: 'object', additionalProperties: { type: 'string' } } as const;

export const toolError = async (): Promise<JsonObject> => ({
  isError: true,
  content: [{ type: 'text', text: 'The chat is full.' }],
});

export async function serveChat(): Promise<Chat> {
  const threads = new Map<string, ChatMessage[]>();
  const counts = new Map<string, number>();
  let messages = 0;
  const chat: Omit<Chat, 'entry' | 'close'> = {
    thread: (id) => threads.get(id) ?? [],
    threads: () => [...threads.keys()],
    write(thread, user, text, at) {
      const message = { ts: `m${++messages}`, user, text, ...(at === undefined ? {} : { at }) };
      threads.set(thread, [...(threads.get(thread) ?? []), message]);
    },
    calls: (tool) => counts.get(tool) ?? 0,
    failing: {},
    refuseWith: undefined,
  };
  const work: Record<string, (given: Record<string, string>) => JsonObject> = {
    post_message({ channel = '', text = '' }) {
      const thread = channel === 'shared' ? 'shared' : `t${threads.size + 1}`;
      chat.write(thread, 'cuebook', text);
      return { thread };
    },
    post_reply({ thread = '', text = '' }) {
      chat.write(thread, 'cuebook', text);
      return { posted: true };
    },
    read_thread: ({ thread = '' }) => ({ messages: chat.thread(thread) as unknown as JsonObject[] }),
  };
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'chat', version: '1' });
    for (const [name, tool] of Object.entries(work)) {
      const annotations = { readOnlyHint: name === 'read_thread' };
      server.registerTool(
        name,
        { description: name, inputSchema: fromJsonSchema(NAMES), annotations },
        async (given) => {
          counts.set(name, chat.calls(name) + 1);
          const failing = chat.failing[name];
          if (failing !== undefined) return (await failing()) as never;
          const structuredContent = tool(given as Record<string, string>);
          return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent } as never;
        },
      );
    }
    return server;
  });
  const http = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(http, 'listening');

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (chat.refuseWith !== undefined) {
      response.writeHead(chat.refuseWith.status, chat.refuseWith.headers).end();
      return;
    }
    const given = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, {
        method: request.method ?? 'POST',
        headers: Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
        ...(text === '' ? {} : { body: text }),
      }),
    );
    response.writeHead(given.status, Object.fromEntries(given.headers));
    for await (const chunk of given.body ?? []) response.write(chunk);
    response.end();
  }

  const { port } = http.address() as AddressInfo;
  return Object.assign(chat, {
    entry: { type: 'mcp', url: `http://127.0.0.1:${port}/mcp` },
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  });
}
