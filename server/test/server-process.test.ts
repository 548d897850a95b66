import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const MODULE = fileURLToPath(new URL('server-process.ts', import.meta.url));

test('given a test process that ends without ending its server, then the server ends as well', async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const program = `
    const { startServerProcess } = await import(${JSON.stringify(MODULE)});
    const { pid } = await startServerProcess(${JSON.stringify(folder.path)});
    console.log(pid);
    process.exit();
  `;
  const pid = Number(execFileSync(process.execPath, ['--input-type=module', '-e', program]));
  expect(pid).toBeGreaterThan(1);
  const isRunning = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isRunning, { timeout: 30_000 }).toBe(false);
}, 60_000);
