// Real clients of every revision, and a small playbook to work with.
import { createMCPClient, type MCPClient } from '@ai-sdk/mcp';
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { JsonObject } from '../../../shared/json.ts';
import type { TestServer } from '../../test/index.ts';

/** What a client gave back, whatever it calls it. */
export interface Result {
  isError: boolean;
  // Tests assert on the meaning of an answer, member by member; a wrong member fails the assertion.
  // oxlint-disable-next-line typescript/no-explicit-any
  structured: any;
  content: { type: string; text?: string; uri?: string; name?: string }[];
}

export interface TestTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonObject;
  outputSchema?: JsonObject;
  annotations?: JsonObject;
}

export interface McpTestClient {
  tools(): Promise<TestTool[]>;
  call(name: string, args?: JsonObject, options?: CallOptions): Promise<Result>;
  read(uri: string): Promise<string>;
  close(): Promise<void>;
}

export interface CallOptions {
  signal?: AbortSignal;
  onprogress?: (progress: { message?: string | undefined }) => void;
}

const NAME = { name: 'test-client', version: '1.0.0' };

/** Revision 2026-07-28. */
export async function newClient(server: Pick<TestServer, 'address'>, path = '/mcp'): Promise<McpTestClient> {
  const client = new NewClient(NAME, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new NewTransport(new URL(`${server.address}${path}`)));
  return ofSdk(client as unknown as SdkClient);
}

/** Revision 2025-11-25. */
export async function oldClient(server: Pick<TestServer, 'address'>, path = '/mcp'): Promise<McpTestClient> {
  const client = new OldClient(NAME);
  await client.connect(new OldTransport(new URL(`${server.address}${path}`)));
  return ofSdk(client as unknown as SdkClient);
}

export async function aiClient(server: Pick<TestServer, 'address'>, path = '/mcp'): Promise<MCPClient> {
  return createMCPClient({ transport: { type: 'http', url: `${server.address}${path}` } });
}

interface SdkClient {
  listTools(): Promise<{ tools: TestTool[] }>;
  callTool(params: { name: string; arguments: JsonObject }, ...more: unknown[]): Promise<JsonObject>;
  readResource(params: { uri: string }): Promise<{ contents: { text?: string }[] }>;
  close(): Promise<void>;
}

function ofSdk(client: SdkClient): McpTestClient {
  const isOld = client instanceof OldClient;
  return {
    tools: async () => (await client.listTools()).tools,
    async call(name, args = {}, options = {}) {
      const params = { name, arguments: args };
      const given = isOld ? [undefined, options] : [options];
      const { isError = false, structuredContent, content } = await client.callTool(params, ...given);
      return { isError: isError === true, structured: structuredContent, content: content as Result['content'] };
    },
    read: async (uri) => (await client.readResource({ uri })).contents[0]?.text ?? '',
    close: () => client.close(),
  };
}

const TAX = `export const description = 'Adds tax to a price.';
export const input = { type: 'object', required: ['price'], properties: { price: { type: 'number', minimum: 0 } } };
export const output = { type: 'object', required: ['total'], properties: { total: { type: 'number' } } };
export const expose = true;
export default (input) => ({ total: Math.round(input.price * 119) / 100 });
`;

/** A program that answers as many bytes as it is asked for. */
const LARGE = `export const expose = true;
export default (input) => 'x'.repeat(input);
`;

/** A program whose input is no object and refers to a part of itself. */
const COUNT = `export const input = { $defs: { many: { type: 'array', items: { type: 'number' } } }, $ref: '#/$defs/many' };
export const expose = true;
export default (input) => input.length;
`;

/** A workflow that waits for an event. */
const WAITING = `document:
  dsl: '1.0.3'
  namespace: shop
  name: wait
  version: '1.0.0'
  summary: Waits for an answer.
  metadata: { expose: true }
do:
  - hear: { listen: { to: { one: { with: { type: answered } } } } }
  - say: { set: '\${ .[0] }' }
`;

/** The playbook `shop` with a definition of each of these, and `lists` with the one that counts. */
export async function makeShop(server: TestServer): Promise<void> {
  await server.post('/v1/orgs/local/playbooks', { playbook: 'shop', name: 'Shop' });
  const at = '/v1/orgs/local/playbooks/shop/definitions';
  await server.post(`${at}/computation`, { name: 'add-tax', source: TAX });
  await server.post(`${at}/computation`, { name: 'large', source: LARGE });
  await server.post(`${at}/workflow`, { name: 'wait', source: WAITING });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'lists', name: 'Lists' });
  await server.post('/v1/orgs/local/playbooks/lists/definitions/computation', { name: 'count', source: COUNT });
}
