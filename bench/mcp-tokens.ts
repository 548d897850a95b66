// What an agent pays for a task over MCP, in calls, bytes and tokens. Usage: npm run bench:tokens
// A token is taken as four bytes, as is usual for English and JSON; no tokenizer is used.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildDesk } from './agent/build-desk.ts';
import { connectCounting, type PhaseCost } from './agent/counting-client.ts';
import { SERVER, start } from './start-process.ts';

const BYTES_PER_TOKEN = 4;

const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-bench-'));
const server = await start([SERVER, 'serve', '--port', '0', '--data-dir', folder]);
try {
  const client = await connectCounting(`http://127.0.0.1:${server.port}/mcp`);
  await buildDesk(client);
  await client.close();
  const count = (of: (phase: PhaseCost) => number): number => client.phases.reduce((sum, phase) => sum + of(phase), 0);
  const total = {
    phase: 'total',
    calls: count(({ calls }) => calls),
    written: count(({ written }) => written),
    read: count(({ read }) => read),
    received: count(({ received }) => received),
  };
  const columns = ['calls', 'written', 'read', 'tokens', 'received'];
  console.log('phase'.padEnd(26), ...columns.map((column) => column.padStart(9)));
  for (const { phase, calls, written, read, received } of [...client.phases, total]) {
    const tokens = Math.round((written + read) / BYTES_PER_TOKEN);
    const figures = [calls, written, read, tokens, received];
    console.log(phase.padEnd(26), ...figures.map((figure) => String(figure).padStart(9)));
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
