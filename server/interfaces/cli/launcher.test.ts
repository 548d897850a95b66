import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CommandLine, createCommandLine } from './cuebook.testing.ts';

const LAUNCHER = fileURLToPath(new URL('../../../bin/cuebook.js', import.meta.url));

let line: CommandLine;
beforeEach(() => {
  line = createCommandLine();
});
afterEach(() => line.remove());

test.skipIf(process.platform === 'win32')(
  'a server ends when its launcher is killed',
  async () => {
    const launcher = spawn(process.execPath, [LAUNCHER, 'serve', '--port', '0', '--data-dir', line.dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, LOG_LEVEL: 'silent' },
    });
    const lines = createInterface({ input: launcher.stdout });
    await once(lines, 'line');
    launcher.kill('SIGKILL');
    // The pipe closes when the last one who holds it has ended: the server itself.
    await once(lines, 'close');
    expect(existsSync(path.join(line.dataDir, 'runtime.json'))).toBe(false);
  },
  60_000,
);

test('a command completes even if its output is not read', async () => {
  const out = path.join(line.folder, 'out');
  const run = async (...args: string[]): Promise<number | null> => {
    const child = spawn(process.execPath, [LAUNCHER, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, DATA_DIR: line.dataDir },
    });
    child.stdout.destroy();
    child.stderr.destroy();
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  };
  expect(await run('apply', line.writePlaybook())).toBe(0);
  expect(await run('export', 'desk', out)).toBe(0);
  expect(existsSync(path.join(out, 'playbook.yaml'))).toBe(true);
}, 120_000);
