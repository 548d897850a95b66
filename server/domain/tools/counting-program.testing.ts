// An MCP server over stdio for tests, as a program: its one tool `act` asks an address to do it, and counts there.
import { createInterface } from 'node:readline';

interface Message {
  id?: number | string;
  method?: string;
  params?: { arguments?: { id?: string } };
}

const [address = ''] = process.argv.slice(2);

async function resultOf({ method, params }: Message): Promise<object | undefined> {
  switch (method) {
    case 'initialize':
      return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'c', version: '1' } };
    case 'tools/list':
      return { tools: [{ name: 'act', inputSchema: { type: 'object' } }] };
    case 'tools/call':
      await fetch(address, { method: 'POST', body: JSON.stringify({ id: params?.arguments?.id }) });
      return { content: [{ type: 'text', text: 'done' }] };
    default:
      return undefined;
  }
}

async function answer(message: Message): Promise<void> {
  if (message.id === undefined) return;
  const result = await resultOf(message);
  const end = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...end })}\n`);
}

for await (const line of createInterface({ input: process.stdin })) void answer(JSON.parse(line) as Message);
