// What an agent pays for a task over MCP, in calls, bytes and tokens. A token is taken as four bytes, as is usual for English
// and JSON; no tokenizer is used.
import { type Bench, serve } from '../serve.ts';
import { buildDesk } from './build-desk.ts';
import { connectCounting, type PhaseCost } from './counting-client.ts';

const BYTES_PER_TOKEN = 4;
const COLUMNS = ['calls', 'written', 'read', 'tokens', 'received'];

export async function run(bench: Bench): Promise<void> {
  const server = await serve(bench, bench.folder);
  const client = await connectCounting(`http://127.0.0.1:${server.port}/mcp`);
  await buildDesk(client);
  await client.close();
  const sum = (of: (phase: PhaseCost) => number): number =>
    client.phases.reduce((total, phase) => total + of(phase), 0);
  const total = {
    phase: 'total',
    calls: sum(({ calls }) => calls),
    written: sum(({ written }) => written),
    read: sum(({ read }) => read),
    received: sum(({ received }) => received),
  };
  console.log('phase'.padEnd(26), ...COLUMNS.map((column) => column.padStart(9)));
  for (const { phase, calls, written, read, received } of [...client.phases, total]) {
    const tokens = Math.round((written + read) / BYTES_PER_TOKEN);
    const figures = [calls, written, read, tokens, received];
    console.log(phase.padEnd(26), ...figures.map((figure) => String(figure).padStart(9)));
  }
}
