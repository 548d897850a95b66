// The public conformance suite against our guards, our routes and our transport, with its own fixtures behind them.
import { DEVELOPER } from '../../operations/index.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer } from '../http/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import { temporaryFolder } from '../../test/index.ts';
import { createFixture } from './conformance.testing.ts';
import { createTransport } from './transport.ts';

const SUITE = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

const folder = temporaryFolder();
const transport = createTransport(({ isModern }) => createFixture(transport.notify, isModern));
const http = createHttpServer({
  callables: [],
  mcp: transport.serve,
  descriptions: {
    openapi: '{}',
    guides: [],
    studio: { page: '', assets: new Map() },
    health: () => ({ status: 'ok', version: '0', mode: 'local', store: 'sqlite' }),
  },
  access: { mode: 'local', identify: () => DEVELOPER },
  browsers: { isAllowedOrigin: (origin) => origin === address },
  ids: createIds(systemClock),
  logger: pino({ level: 'silent' }),
  stopping: new AbortController().signal,
});
let address: string;
beforeAll(async () => {
  address = await http.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await transport.close();
  await http.close();
  folder.remove();
});

test.each(['2026-07-28', '2025-11-25'])(
  'revision %s',
  async (revision) => {
    const args = [SUITE, 'server', '--url', `${address}/mcp`, '--requirements', revision];
    const { code, output } = await run([...args, '--output-dir', folder.path]);
    const verdict = output.slice(output.lastIndexOf('\nTotal:'));
    expect([code, code === 0 ? '' : verdict]).toEqual([0, '']);
  },
  90_000,
);

/** The suite ends before a pipe has taken all of its output; a file has. */
async function run(args: readonly string[]): Promise<{ code: number; output: string }> {
  const file = path.join(folder.path, 'told.txt');
  const output = openSync(file, 'w');
  const child = spawn(process.execPath, args, { stdio: ['ignore', output, output] });
  const [code] = (await once(child, 'exit')) as [number];
  closeSync(output);
  return { code, output: readFileSync(file, 'utf8') };
}
