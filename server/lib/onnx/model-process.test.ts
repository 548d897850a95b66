// What surrounds a model process, as Linux shows it.
import { execFileSync, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { createModelRunner } from './model-runner.ts';
import { drift, SIGNATURE } from './models.testing.ts';
import { locateRuntime } from './runtime.ts';

const location = locateRuntime();
if ('reason' in location) console.log(`Skipped: ${location.reason}`);

/** The model processes below a process. */
function modelProcesses(parent: number): number[] {
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,stat=,args=']).toString().trim().split('\n');
  return lines.flatMap((line) => {
    const [pid, ppid, state = ''] = line.trim().split(/\s+/);
    return Number(ppid) === parent && !state.startsWith('Z') && line.includes('model-child') ? [Number(pid)] : [];
  });
}

describe.skipIf('reason' in location || process.platform !== 'linux')('given a model process', () => {
  test('then it has no environment, an empty folder and a limit of memory', async () => {
    process.env['CUEBOOK_CANARY'] = 'canary';
    onTestFinished(() => void delete process.env['CUEBOOK_CANARY']);
    const runner = createModelRunner({ clock: systemClock });
    onTestFinished(() => runner.close());
    const { value: model } = await runner.open(drift(), SIGNATURE);
    const [pid = 0, ...others] = modelProcesses(process.pid);
    expect(others).toEqual([]);
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
    expect(variables.map((text) => text.split('=')[0]).filter((name) => !name?.startsWith('NODE_CHANNEL_'))).toEqual([
      'PWD',
    ]);
    expect(readFileSync(`/proc/${pid}/limits`, 'utf8')).toMatch(/Max data size +1024000000 +1024000000/);
    const folder = readlinkSync(`/proc/${pid}/cwd`);
    expect(path.basename(folder)).toMatch(/^cuebook-model-/);
    expect(readdirSync(folder)).toEqual([]);
    await model?.close();
    expect(existsSync(folder)).toBe(false);
    expect(modelProcesses(process.pid)).toEqual([]);
  });

  test('then killing the server ends its model processes, also while a model runs', async () => {
    const server = fork(path.join(import.meta.dirname, 'runner-process-child.ts'));
    await once(server, 'message');
    const [pid = 0] = modelProcesses(server.pid ?? 0);
    const folder = readlinkSync(`/proc/${pid}/cwd`);
    server.kill('SIGKILL');
    await once(server, 'exit');
    await expect.poll(() => existsSync(`/proc/${pid}/cwd`) || existsSync(folder)).toBe(false);
  });

  test('then its folder is removed by the next server where it is left behind, and those in use are kept', async () => {
    const runner = createModelRunner({ clock: systemClock });
    onTestFinished(() => runner.close());
    const { value: model } = await runner.open(drift(), SIGNATURE);
    const used = readlinkSync(`/proc/${modelProcesses(process.pid)[0]}/cwd`);
    const server = spawnSync('true');
    const left = mkdtempSync(path.join(os.tmpdir(), `cuebook-model-${server.pid}-`));
    await runner.removeLeft();
    expect([existsSync(used), existsSync(left)]).toEqual([true, false]);
    await model?.close();
  });

  test('then one whose channel closes while it starts removes its folder', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-model-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const runtime = 'module' in location ? location.module : '';
    const child = fork(path.join(import.meta.dirname, 'model-child.ts'), [runtime, folder], { silent: true });
    child.disconnect();
    await once(child, 'exit');
    expect(existsSync(folder)).toBe(false);
  });
});
