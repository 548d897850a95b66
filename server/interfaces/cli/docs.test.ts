import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SERVER_PROGRAM } from '../../test/index.ts';
import { type CommandLine, createCommandLine } from './cuebook.testing.ts';

let line: CommandLine;
beforeEach(() => {
  line = createCommandLine();
});
afterEach(() => line.remove());

test('serves until it is stopped, and creates no data directory', async () => {
  const child = spawn(process.execPath, [SERVER_PROGRAM, 'docs', '--port', '0'], {
    env: { ...process.env, DATA_DIR: line.dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    for await (const said of createInterface({ input: child.stdout })) {
      const [, count, address] = /^Serving (\d+) pages of documentation at (http:\S+)$/.exec(said) ?? [];
      expect(await (await fetch(`${address}/health`)).json()).toEqual({ status: 'ok', pages: Number(count) });
      break;
    }
  } finally {
    child.kill('SIGTERM');
  }
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  expect(existsSync(line.dataDir)).toBe(false);
}, 60_000);

test('names an invalid option in one sentence', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const port = String((taken.address() as AddressInfo).port);
  for (const [args, sentence] of [
    [['--port', port], `--port is ${port}, which is in use on 127.0.0.1; set another port, or 0 to pick a free one.`],
    [['--port', 'x'], '--port is "x"; it must be a whole number from 0 (any free port) to 65535.'],
    [
      ['--host', '0.0.0.0'],
      '--host is 0.0.0.0, which means every address of this machine; set --url to the public address.',
    ],
    [
      ['--url', 'docs'],
      '--url is "docs"; it must be an http or https address without a query, such as https://docs.example.com.',
    ],
    [
      ['--url', 'https://u:secret@a'],
      '--url is a text with @; it must be an http or https address without a query, such as https://docs.example.com.',
    ],
  ] as const) {
    expect(await line.cuebook(['docs', ...args])).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` });
  }
  taken.close();
}, 120_000);
