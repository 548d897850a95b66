import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startGroup } from './process-group.ts';

/** Starts another program of itself, which holds its output open, and prints its id. Only a signal ends either of them. */
const program = (own = '', others = ''): string => `
  const { spawn } = require('node:child_process');
  const other = spawn(process.execPath, ['-e', ${JSON.stringify(`${others}; console.log(process.pid); setInterval(() => undefined, 1000)`)}], { stdio: 'inherit' });
  ${own}; setInterval(() => undefined, 1000);
`;
const DEAF = "process.on('SIGTERM', () => undefined)";

/** The first line of a program is the id of what it started. */
async function firstLine(output: NodeJS.ReadableStream | null): Promise<number> {
  if (output === null) throw new Error('It has no output.');
  const [line] = (await once(createInterface({ input: output }), 'line')) as [string];
  return Number(line);
}

function running(): number[] {
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,stat=']).toString().trim().split('\n');
  return lines.flatMap((line) => {
    const [pid, state = ''] = line.trim().split(/\s+/);
    return state.startsWith('Z') ? [] : [Number(pid)];
  });
}

describe.skipIf(process.platform === 'win32').concurrent('ends', { timeout: 60_000 }, () => {
  test.each([
    ['ends by SIGTERM', program()],
    ['is deaf to SIGTERM', program(DEAF, DEAF)],
    [
      'exits when its input closes, without what it started',
      program("process.stdin.once('end', () => process.exit()).resume()"),
    ],
    [
      'exits when its input closes, without what it started and what is deaf',
      program("process.stdin.once('end', () => process.exit()).resume()", DEAF),
    ],
  ])('given a program that %s, then nothing of it is left after its end', async (_what, source) => {
    const group = startGroup(process.execPath, ['-e', source], { env: process.env, stdio: 'pipe' });
    const other = await firstLine(group.child.stdout);
    expect(running()).toEqual(expect.arrayContaining([group.child.pid, other]));
    await Promise.all([group.end(), group.end()]);
    expect(running()).not.toContain(group.child.pid);
    expect(running()).not.toContain(other);
  });
});

test.skipIf(process.platform === 'win32')(
  'given a program that exits by itself, then what it started is ended',
  async () => {
    const source = program("process.stdin.once('data', () => process.exit())");
    const group = startGroup(process.execPath, ['-e', source], { env: process.env, stdio: 'pipe' });
    const other = await firstLine(group.child.stdout);
    group.child.stdin?.write('now\n');
    await expect.poll(running, { timeout: 10_000 }).not.toContain(other);
  },
);

test.skipIf(process.platform === 'win32')('given a process that just exits, then its groups are killed', async () => {
  const module = fileURLToPath(new URL('process-group.ts', import.meta.url));
  const ours = `
    const { startGroup } = await import(${JSON.stringify(module)});
    const { child } = startGroup(process.execPath, ['-e', ${JSON.stringify(program(DEAF, DEAF))}], { env: process.env, stdio: 'pipe' });
    child.stdout.once('data', (chunk) => { process.stdout.write(chunk, () => process.exit()); });
  `;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', ours], { stdio: ['ignore', 'pipe', 'inherit'] });
  const other = await firstLine(owner.stdout);
  await once(owner, 'exit');
  await expect.poll(running, { timeout: 10_000 }).not.toContain(other);
});

test('given a program that does not exist, then an error says so, and there is nothing to end', async () => {
  const group = startGroup('no-such-program-anywhere', [], { env: process.env, stdio: 'pipe' });
  const [error] = (await once(group.child, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ENOENT');
  await group.end();
});
