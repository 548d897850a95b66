import { randomUUID } from 'node:crypto';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import { createModelRunner } from '../../lib/onnx/index.ts';
import { SAMPLE_FOLDER } from '../../runtime/resources.ts';
import { SERVER_PROGRAM, startServer, temporaryFolder, type TestServer } from '../../test/index.ts';
import { type CommandLine, createCommandLine, type Ended } from './cuebook.testing.ts';

const SOURCE = `dataset: { value: reports, unit: reports, static: [state] }
period: month
context: 36
horizon: 6
trainer: { inbox: forecasters }
`;
const REPORTS = path.join(SAMPLE_FOLDER, 'data/monthly-reports.csv');

let commands: CommandLine;
let server: TestServer;
let cuebook: (...args: string[]) => Promise<Ended>;
beforeAll(async () => {
  commands = createCommandLine();
  server = await startServer();
  cuebook = (...args) => commands.cuebook([...args, '--server', server.address]);
  const folder = commands.writePlaybook({ 'strikes.prediction.yaml': SOURCE });
  await cuebook('apply', folder);
}, 60_000);
afterAll(async () => {
  await server.close();
  commands.remove();
});

test('given neither a dataset nor a build, then each command reports what is missing', async () => {
  expect(await cuebook('build', 'desk', 'strikes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('dataset'),
  });
  expect(await cuebook('predict', 'desk', 'strikes', 'SACRAMENTO INTL')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no active model version'),
  });
  expect(await cuebook('predict', 'desk', 'strikes', 'SACRAMENTO INTL', '--horizon', 'far')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--horizon is "far"'),
  });
  expect(await cuebook('build', 'desk', 'strikes', '--run-id', 'abc')).toEqual({
    code: 2,
    stdout: '',
    stderr: '--run-id is "abc"; give a UUID, such as 0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6b.\n',
  });
  expect(await cuebook('train', 'desk')).toMatchObject({
    code: 0,
    stderr: 'No build is waiting for a trainer.\n',
  });
  expect(await cuebook('train', 'nowhere')).toMatchObject({ code: 1, stderr: expect.stringContaining('nowhere') });
}, 60_000);

const { availability } = createModelRunner({ clock: systemClock });
if (!availability.isAvailable) console.log(`Skipped: ${availability.reason}`);

describe.skipIf(!availability.isAvailable)('where models can run', () => {
  test('given the dataset of the sample, then a build that the trainer answers gives forecasts', async () => {
    expect(await cuebook('dataset', 'upload', 'desk', REPORTS)).toMatchObject({ code: 0 });
    const build = ['build', 'desk', 'strikes', '--run-id', randomUUID()];
    expect(await cuebook(...build)).toMatchObject({ code: 0, stdout: expect.stringContaining('"started"') });
    expect(await cuebook('train', 'desk', '--party', 'others')).toMatchObject({
      code: 0,
      stderr: 'No build is waiting for a trainer.\n',
    });
    expect(await cuebook('train', 'desk', '--party', 'forecasters')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/linear from the mean[\s\S]*Answered 1 build\.\n$/),
    });
    const built = await cuebook(...build, '--wait');
    expect(JSON.parse(built.stdout)).toMatchObject({ version: 1, activated: true });

    const forecast = await cuebook('predict', 'desk', 'strikes', 'SACRAMENTO INTL');
    expect(forecast.code).toBe(0);
    const [header, ...rows] = forecast.stdout.trimEnd().split('\n');
    expect(header?.trim().split(/\s+/)).toEqual(['period', 'reports', 'low', 'high']);
    const months = ['2002-07', '2002-08', '2002-09', '2002-10', '2002-11', '2002-12'];
    expect(rows.map((row) => row.split(/\s+/)[0])).toEqual(months);
    for (const row of rows) {
      const [, value, low, high] = row.split(/\s+/).map(Number);
      expect([low, value, high]).toEqual([low, value, high].toSorted((a = 0, b = 0) => a - b));
    }
    const third = await cuebook('predict', 'desk', 'strikes', 'SACRAMENTO INTL', '--horizon', '3');
    expect(third.stdout.trimEnd().split('\n').slice(1)).toEqual([rows[2]]);
  }, 120_000);

  test.skipIf(process.platform === 'win32')(
    'given the commands of the guide, typed as it prints them, then the last one prints a forecast',
    async () => {
      const guide = readFileSync(new URL('../../../resources/guides/prediction.md', import.meta.url), 'utf8');
      const typed = /```sh\n([\s\S]*?)```/.exec(guide)?.[1]?.trim().split('\n') ?? [];
      expect(typed).toHaveLength(4);
      const [serve = '', train = '', build = '', predict = ''] = typed;
      const terminal = openTerminal();
      await terminal.type(serve, 'is listening');
      await terminal.type(train, 'Waiting for builds');
      expect(JSON.parse((await terminal.type(build)).stdout)).toMatchObject({ version: 1, activated: true });
      const { stdout } = await terminal.type(predict);
      expect(stdout).toMatch(/^period +reports +low +high\n(2002-\d\d( +[\d.]+){3}\n){6}$/);
    },
    120_000,
  );
});

/** A shell in which `npx cuebook` is the program under test; commands that keep running are ended with the test. */
function openTerminal() {
  const folder = temporaryFolder();
  const bin = path.join(folder.path, 'bin');
  mkdirSync(bin);
  const command = `#!/bin/sh\nshift\nexec '${process.execPath}' '${SERVER_PROGRAM}' "$@"\n`;
  writeFileSync(path.join(bin, 'npx'), command, { mode: 0o755 });
  const env = {
    ...process.env,
    DATA_DIR: path.join(folder.path, 'data'),
    PORT: '0',
    PATH: `${bin}:${process.env['PATH']}`,
  };
  const running = new Set<ChildProcess>();
  onTestFinished(async () => {
    for (const child of [...running].toReversed()) {
      const closed = once(child, 'close');
      child.kill();
      // oxlint-disable-next-line no-await-in-loop -- the service is last
      await closed;
    }
    folder.remove();
  });
  return {
    /** Waits until the command ends, or until it has written `until`. */
    type: (line: string, until?: string) =>
      new Promise<Ended>((resolve, reject) => {
        const child = spawn('/bin/sh', ['-c', `exec ${line}`], { cwd: folder.path, env });
        running.add(child);
        let [stdout, stderr] = ['', ''];
        const look = (): void => {
          if (until !== undefined && `${stdout}${stderr}`.includes(until)) resolve({ code: null, stdout, stderr });
        };
        child.stdout.on('data', (chunk: Buffer) => {
          stdout += chunk.toString();
          look();
        });
        child.stderr.on('data', (chunk: Buffer) => {
          stderr += chunk.toString();
          look();
        });
        child.on('close', (code) => {
          running.delete(child);
          if (code === 0) resolve({ code, stdout, stderr });
          else reject(new Error(`${line}\n${stderr}`));
        });
      }),
  };
}
