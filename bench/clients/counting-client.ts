// An MCP client that counts what an agent writes and reads, by phase.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { isJsonObject, type Json, type JsonObject } from '../../shared/json.ts';

export interface PhaseCost {
  phase: string;
  calls: number;
  /** Names and arguments of calls, in bytes: what a model writes. */
  written: number;
  /**
   * What a client shows its model, in bytes: the list of tools, and the blocks of a result. Structured content repeats a
   * block, and clients show one of the two.
   */
  read: number;
  /** Complete results, with structured content, in bytes. */
  received: number;
}

export interface CallResult {
  isError: boolean;
  /** The output, or the problem. */
  value: JsonObject;
  /** Everything that the model reads. */
  text: string;
}

export interface CountingClient {
  phases: readonly PhaseCost[];
  /** What the server tells agents about itself. */
  instructions: string;
  begin(phase: string): void;
  listTools(): Promise<void>;
  call(tool: string, args: JsonObject): Promise<CallResult>;
  close(): Promise<void>;
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

export async function connectCounting(address: string): Promise<CountingClient> {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  const phases: PhaseCost[] = [];
  const instructions = client.getInstructions() ?? '';
  const current = (): PhaseCost => {
    const phase = phases.at(-1);
    if (phase === undefined) throw new Error('No phase has begun.');
    return phase;
  };
  return {
    phases,
    instructions,
    begin: (phase) => void phases.push({ phase, calls: 0, written: 0, read: 0, received: 0 }),
    async listTools() {
      const { tools } = await client.listTools();
      const bytes = bytesOf(tools) + Buffer.byteLength(instructions);
      const phase = current();
      phase.calls += 1;
      phase.read += bytes;
      phase.received += bytes;
    },
    async call(tool, args) {
      const result = await client.callTool({ name: tool, arguments: args });
      const phase = current();
      const texts = result.content.map((block) => (block.type === 'text' ? block.text : JSON.stringify(block)));
      phase.calls += 1;
      phase.written += bytesOf({ name: tool, arguments: args });
      phase.read += texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      phase.received += bytesOf(result);
      return {
        isError: result.isError === true,
        value: valueOf(result.structuredContent, texts),
        text: texts.join('\n'),
      };
    },
    close: () => client.close(),
  };
}

/** The structured content, or the block that is a JSON object. */
function valueOf(structured: unknown, texts: readonly string[]): JsonObject {
  if (structured !== undefined) return structured as JsonObject;
  const objects = texts.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text) as Json);
  return objects.find(isJsonObject) ?? {};
}
