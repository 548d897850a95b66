// How a program starts that is installed first, or that ends while it starts. A fake package manager stands on the PATH.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { createFakeClock, type FakeClock } from '../../lib/clock.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { serveLoopback, temporaryFolder } from '../../test/index.ts';
import { givenTools, type ToolsTestServer } from './tools.testing.ts';

const PROGRAM = fileURLToPath(new URL('counting-program.testing.ts', import.meta.url));
const TOOL = { server: 'notes', tool: 'act' };
const INSTALLING = { because: 'unreachable', installing: true, unavailable: expect.stringContaining('installing') };

interface FakeManager {
  entry: JsonObject;
  /** Lets it end its installation. */
  finish: () => void;
  /** Process ids of its starts. */
  starts: () => string[];
}

function givenManager(more: JsonObject = {}): FakeManager {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const at = (name: string): string => path.join(folder.path, name);
  writeFileSync(
    at('npx'),
    `#!/bin/sh
echo $$ >> ${at('starts')}
echo "fetching" >&2
while [ ! -e ${at('gate')} ]; do sleep 0.02; done
exec ${process.execPath} ${PROGRAM} $3
`,
  );
  chmodSync(at('npx'), 0o755);
  const PATH = `${folder.path}${path.delimiter}${process.env['PATH']}`;
  return {
    entry: { type: 'stdio', command: 'npx', args: ['-y', 'notes-mcp'], env: { PATH }, ...more },
    finish: () => writeFileSync(at('gate'), ''),
    starts: () => (existsSync(at('starts')) ? readFileSync(at('starts'), 'utf8').trim().split('\n') : []),
  };
}

/** The response, while the clock runs until it is there. */
async function inTime<T>(clock: FakeClock, response: Promise<T>): Promise<T> {
  let isDone = false;
  const done = response.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    clock.advance(1000);
    // oxlint-disable-next-line no-await-in-loop -- the clock runs beside what waits for it
    await yieldToEventLoop();
  }
  return done;
}

const serversOf = async (world: ToolsTestServer): Promise<JsonObject[]> =>
  (await world.ask('search', {}))['servers'] as JsonObject[];

test.skipIf(process.platform === 'win32')(
  'given a package manager that works for two minutes, then reads say so, nothing is ended, and a call waits for it',
  async () => {
    const clock = createFakeClock();
    const counting = await serveLoopback((request, response) => {
      request.resume();
      response.end();
    });
    onTestFinished(() => counting.close());
    const manager = givenManager({ args: ['-y', 'notes-mcp', counting.address] });
    const world = await givenTools({ notes: manager.entry }, { clock });
    const found = serversOf(world);
    await expect.poll(manager.starts).toHaveLength(1);
    expect(await inTime(clock, found)).toMatchObject([INSTALLING]);
    const called = world.ask('execute', TOOL, { arguments: {} });
    for (let seconds = 0; seconds < 110; seconds += 10) {
      clock.advance(10_000);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await yieldToEventLoop();
    }
    expect(await inTime(clock, serversOf(world))).toMatchObject([INSTALLING]);
    expect(await inTime(clock, world.refusal('introspect', TOOL))).toMatchObject({
      because: 'unreachable',
      retryAfter: 5,
    });
    manager.finish();
    expect(await called).toMatchObject({ outcome: 'result' });
    expect(await serversOf(world)).toMatchObject([{ tool_count: 1 }]);
    expect(manager.starts()).toHaveLength(1);
  },
);

test.skipIf(process.platform === 'win32')(
  'given `start_timeout` of two seconds, then callers wait no longer, and the package manager still is not ended',
  async () => {
    const clock = createFakeClock();
    const manager = givenManager({ start_timeout: 'PT2S' });
    const world = await givenTools({ notes: manager.entry }, { clock });
    const before = clock.now();
    const found = serversOf(world);
    await expect.poll(manager.starts).toHaveLength(1);
    expect(await inTime(clock, found)).toMatchObject([INSTALLING]);
    expect(clock.now() - before).toBeLessThan(10_000);
    clock.advance(60_000);
    manager.finish();
    await expect.poll(() => inTime(clock, serversOf(world))).toMatchObject([{ tool_count: 1 }]);
    expect(manager.starts()).toHaveLength(1);
  },
);

test('given a slow program, then `start_timeout` is how long it may take', async () => {
  const clock = createFakeClock();
  const script = 'process.stderr.write("warming up\\n"); setInterval(() => undefined, 1000)';
  const world = await givenTools(
    { notes: { type: 'stdio', command: process.execPath, args: ['-e', script], start_timeout: 'PT2M' } },
    { clock },
  );
  const before = clock.now();
  const refused = world.refusal('execute', TOOL, { arguments: {} });
  await expect.poll(() => world.logged.join('')).toContain('warming up');
  const { detail, because } = await inTime(clock, refused);
  expect(because).toBe('unreachable');
  expect(detail).toMatch(/did not start within 2 minutes.*Its last lines:\nwarming up$/s);
  expect(clock.now() - before).toBeGreaterThanOrEqual(120_000);
});

const SECRET = 'zq8-qvxw-hidden-value';

/** A program that writes lines and ends. */
function ending(lines: readonly string[], code: number): JsonObject {
  const script = `process.stderr.write(${JSON.stringify(`${lines.join('\n')}\n`)}, () => process.exit(${code}))`;
  return { type: 'stdio', command: process.execPath, args: ['-e', script], env: {} };
}

test.each<[string, readonly string[], number, RegExp]>([
  [
    'a variable is missing',
    ['Error: NOTES_API_KEY environment variable is required', '    at Object.<anonymous> (/srv/x/index.js:1:7)'],
    1,
    /\(exit code 1\)\. The variable NOTES_API_KEY is missing; set it in `env` of its entry\. Its last lines:\nError: NOTES_API_KEY environment variable is required$/,
  ],
  [
    'the package is not found',
    ['npm error code E404', 'npm error 404 Not Found - GET https://registry.example/@acme%2fnotes'],
    1,
    /The package or image was not found; .* Its last lines:\nnpm error code E404\nnpm error 404 Not Found - GET \[address\]$/s,
  ],
  ['a module is not found', ["ModuleNotFoundError: No module named 'notes'"], 1, /A file or module that it needs/],
  [
    'a program is not found',
    ['sh: 1: notes-mcp: not found'],
    127,
    /\(exit code 127\)\. A program that it starts was not found/,
  ],
  [
    'an address is not reached',
    ['getaddrinfo ENOTFOUND db.example'],
    3,
    /\(exit code 3\)\. An address could not be reached/,
  ],
  ['nothing is written', [], 7, /^[^\n]*while it started \(exit code 7\)\.$/],
])(
  'given a program that ends as %s, then its exit code, the cause and its last lines are reported',
  async (...given) => {
    const [, lines, code, words] = given;
    const world = await givenTools({ notes: ending(lines, code) });
    const [server] = await serversOf(world);
    expect(server).toMatchObject({ because: 'unreachable' });
    expect(String(server?.['unavailable'])).toMatch(words);
    expect(Buffer.byteLength(String(server?.['unavailable']))).toBeLessThanOrEqual(1024);
    expect(world.logged.map((line) => JSON.parse(line) as JsonObject)).toContainEqual(
      expect.objectContaining({ level: 40, tool_server: 'notes', detail: server?.['unavailable'] }),
    );
    // Also while it is not started again.
    const refused = await world.refusal('introspect', TOOL);
    expect(refused).toMatchObject({ kind: 'tool_server_failed', because: 'unreachable' });
    expect(refused.detail).toMatch(/exit code \d+\).*It is started again at the next use, in \d s at the earliest\./s);
  },
);

test('a program that answers something else is not said to have ended', async () => {
  const script = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const error = { code: -32000, message: 'Not today' };
    console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, error }));
  });`;
  const { refusal } = await givenTools({ notes: { type: 'stdio', command: process.execPath, args: ['-e', script] } });
  expect((await refusal('introspect', TOOL)).detail).toContain('does not answer as an MCP server does');
});

test('a program that is not there is reported as such', async () => {
  const { refusal } = await givenTools({ notes: { type: 'stdio', command: 'no-such-program-anywhere' } });
  const { detail } = await refusal('introspect', TOOL);
  expect(detail).toContain('not installed, or not executable');
  expect(detail).not.toContain('no-such-program');
});

test('the last lines hold nothing of the entry, and are bounded', async () => {
  const lines = [
    ...Array.from({ length: 200 }, (_, index) => `line ${index} ${'x'.repeat(100)}`),
    `token ${SECRET} ${encodeURIComponent(`${SECRET}+`)} of tern at https://user@db.example:5432/notes, 10.1.2.3:8080`,
    '\u001B[31mred\u001B[0m \u202Eflipped /home/me/notes/config.json',
  ];
  const world = await givenTools(
    { notes: { ...ending(lines, 1), env: { NOTES_TOKEN: '${NOTES_TOKEN}', TEAM: 'tern', KEYS: `a\n${SECRET}+\nb` } } },
    { environment: { NOTES_TOKEN: SECRET } },
  );
  const [server] = await serversOf(world);
  const text = String(server?.['unavailable']);
  expect(text).toContain('token *** *** of *** at [address], [address]\nred  flipped [path]');
  for (const hidden of ['qvxw', 'tern', 'example', '10.1', '\u001B', '\u202E']) expect(text).not.toContain(hidden);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024);
  expect(world.logged.join('')).not.toContain('qvxw');
});

test('a call may take as long as `timeout` says', async () => {
  const clock = createFakeClock();
  let asked = 0;
  const silent = await serveLoopback((request) => {
    request.resume();
    asked += 1;
  });
  onTestFinished(() => silent.close());
  const world = await givenTools(
    { notes: { type: 'stdio', command: process.execPath, args: [PROGRAM, silent.address], timeout: 'PT2M' } },
    { clock },
  );
  const called = world.ask('execute', TOOL, { arguments: {} });
  await expect.poll(() => asked).toBe(1);
  const { outcome, duration_ms: duration, text } = await inTime(clock, called);
  expect(outcome).toBe('timed_out');
  expect(duration).toBeGreaterThanOrEqual(120_000);
  expect(text).toContain('within 2 minutes');
});
