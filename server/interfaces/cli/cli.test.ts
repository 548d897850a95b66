import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openSettings, optionName, SERVER_SETTINGS, SETTING_NAMES } from '../../settings/index.ts';
import { startServerProcess } from '../../test/index.ts';
import { type CommandLine, createCommandLine, PROGRAM } from './cuebook.testing.ts';
import { EXIT } from './failure.ts';
import { createProgram } from './program.ts';

let line: CommandLine;
let dataDir: string;
let cuebook: CommandLine['cuebook'];
let writePlaybook: CommandLine['writePlaybook'];
beforeEach(() => {
  line = createCommandLine();
  ({ dataDir, cuebook, writePlaybook } = line);
});
afterEach(() => line.remove());

describe('help', () => {
  test('exists for the program and for each command, and an unknown option exits with 2', async () => {
    const { code, stdout } = await cuebook(['--help']);
    expect(code).toBe(0);
    for (const command of ['serve', 'run', 'history', 'apply', 'diff', 'export', 'test', 'doctor']) {
      expect(stdout).toContain(`  ${command}`);
      expect((await cuebook([command, '--help'])).stdout).toContain(`Usage: cuebook ${command}`);
    }
    expect((await cuebook(['serve', '--nonsense'])).code).toBe(2);
  }, 60_000);

  test('for an unknown command suggests the nearest one, and nothing is served', async () => {
    expect(await cuebook(['exprot', '--help'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Unknown command "exprot". Did you mean export? Run cuebook --help to list the commands.\n',
    });
    expect((await cuebook(['nonsense'])).stderr).toMatch(/^Unknown command "nonsense"\. Run cuebook --help/);
    expect((await cuebook(['help', 'run'])).stdout).toContain('Usage: cuebook run');
  });
});

describe('serve', () => {
  test('writes its address last on one line, is refused a second time, and ends cleanly', async () => {
    const server = await startServerProcess(dataDir);
    expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const runtime = JSON.parse(readFileSync(path.join(dataDir, 'runtime.json'), 'utf8')) as object;
    expect(runtime).toMatchObject({ pid: server.pid, address: server.address });
    const second = await cuebook(['serve', '--port', '0']);
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining(server.address) });
    expect((await cuebook(['doctor', '--rebuild'])).code).toBe(2);
    expect(await server.end('SIGTERM')).toBe(0);
    expect(existsSync(path.join(dataDir, 'runtime.json'))).toBe(false);
  }, 60_000);

  test.each(SETTING_NAMES.filter((name) => SERVER_SETTINGS[name].option !== undefined))(
    'reads the option of the setting %s',
    (name) => {
      const read = vi.spyOn(SERVER_SETTINGS[name], 'read').mockReturnValue(undefined);
      onTestFinished(() => read.mockRestore());
      const serve = createProgram({ code: EXIT.done, json: false }).commands.find((one) => one.name() === 'serve');
      serve?.parseOptions([`--${optionName(name)}`, 'given']);
      void openSettings({}, { ...serve?.opts(), dataDir })[name];
      expect(read).toHaveBeenCalledWith('given', expect.anything());
    },
  );

  test('honours PORT and HOST', async () => {
    const server = await startServerProcess(dataDir, { environment: { HOST: 'localhost' } });
    expect(server.address).toMatch(/^http:\/\/localhost:\d+$/);
    await server.end('SIGTERM');
  });

  test('creates the sample once', async () => {
    for (let start = 0; start < 2; start += 1) {
      const server = await startServerProcess(dataDir, { args: ['--sample'] });
      const { definitions } = (await (
        await fetch(`${server.address}/v1/orgs/local/playbooks/wildlife-strikes/definitions/computation`)
      ).json()) as {
        definitions: { version: number; warnings: unknown[] }[];
      };
      expect(definitions.map(({ version }) => version)).toEqual([1, 1, 1, 1, 1]);
      await server.end('SIGTERM');
    }
  }, 120_000);

  test.each([
    [{ PORT: 'http' }, 'PORT is "http"'],
    [{ PORT: '70000' }, 'PORT is "70000"'],
    [{ HOST: '0.0.0.0' }, 'HOST is "0.0.0.0"'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud"'],
    [{ ALLOWED_ORIGINS: 'https://a.example/path' }, 'ALLOWED_ORIGINS contains'],
    [{ API_KEYS: 'abk_secret' }, 'API_KEYS is not JSON'],
    [{ DATABASE_URL: 'mysql://user:password@host/db' }, 'DATABASE_URL does not begin'],
    [{ DATABASE_URL: 'postgres://user:password@host/db' }, 'SECRETS_KEY is not set'],
  ])('with the setting %j exits with 2 and one sentence', async (env, words) => {
    const { code, stdout, stderr } = await cuebook(['serve'], { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toMatch(/password|secret/);
  });

  test('on the database of a newer version exits with 3', async () => {
    await cuebook(['apply', writePlaybook()]);
    const database = new Database(path.join(dataDir, 'cuebook.db'));
    database.exec("INSERT INTO schema_versions VALUES ('future/1', '')");
    database.close();
    expect(await cuebook(['serve', '--port', '0'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('newer Cuebook'),
    });
  }, 60_000);
});

describe('a playbook on disk', () => {
  test('is tested, applied, run, changed, compared and exported', async () => {
    const desk = writePlaybook();
    expect(await cuebook(['test', desk])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 passed, 0 failed'),
    });
    expect((await cuebook(['diff', desk])).stdout).toContain('computation/double: would be created');
    expect((await cuebook(['apply', desk])).stdout).toContain('computation/double: was created');
    expect(existsSync(path.join(desk, 'cuebook.d.ts'))).toBe(true);
    expect((await cuebook(['apply', desk])).stdout).toBe('1 unchanged\n');

    const runId = crypto.randomUUID();
    const run = await cuebook(['run', 'desk', 'computation/double', '--input', '{"n":21}', '--run-id', runId]);
    expect(run).toMatchObject({ code: 0, stdout: '42\n', stderr: `Run ${runId} succeeded.\n` });
    expect((await cuebook(['run', 'desk', 'computation/double', '--input', '-'], { input: '{"n":4}' })).stdout).toBe(
      '8\n',
    );
    writeFileSync(path.join(line.folder, 'input.json'), '{"n":5}');
    expect(
      (await cuebook(['run', 'desk', 'computation/double', '--input', `@${path.join(line.folder, 'input.json')}`]))
        .stdout,
    ).toBe('10\n');
    const history = await cuebook(['history', 'desk', runId]);
    expect(history.stdout).toMatch(
      /^The run of computation\/double, version 1, succeeded\.\n[^]*run_started[^]*run_succeeded/,
    );

    writePlaybook({ 'double.computation.ts': PROGRAM.replace('* 2', '* 3') });
    expect((await cuebook(['diff', desk])).stdout).toBe(`computation/double: would be updated, from version 1 to 2
@@ -1 +1 @@
 export const examples = [{ name: 'two', input: { n: 2 }, output: 4 }];
-export default (input) => input.n * 2;
+export default (input) => input.n * 3;
0 unchanged
`);
    expect(await cuebook(['test', desk])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('returned 6; expected 4'),
    });
    const out = path.join(line.folder, 'out');
    expect((await cuebook(['export', 'desk', out])).code).toBe(0);
    expect(readFileSync(path.join(out, 'double.computation.ts'), 'utf8')).toBe(PROGRAM);
    expect((await cuebook(['diff', out])).stdout).toBe('1 unchanged\n');
  }, 240_000);

  test('with a mistake is refused with its position, and nothing changes', async () => {
    const desk = writePlaybook({ 'wrong.computation.ts': 'enum A { b }\nexport default () => 1;\n' });
    expect(await cuebook(['apply', desk])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('wrong.computation.ts: Line 1, column 1: Enums'),
    });
    expect(await cuebook(['diff', desk])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('desk: would be created'),
      stderr: expect.stringContaining(`would be refused.\n${path.join(desk, 'wrong.computation.ts')}: Line 1`),
    });
    expect(await cuebook(['diff', writePlaybook({ 'playbook.yaml': 'playbok: desk\n' })])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean `playbook`'),
    });
    expect((await cuebook(['diff', path.join(line.folder, 'nowhere')])).code).toBe(2);
  }, 120_000);
});

test('a refused run exits with 1; an invalid reference or input exits with 2', async () => {
  expect((await cuebook(['run', 'desk', 'double'])).code).toBe(2);
  expect((await cuebook(['run', 'desk', 'computation/double', '--input', '{'])).code).toBe(2);
  await cuebook(['apply', writePlaybook()]);
  expect(await cuebook(['run', 'none', 'computation/double'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no playbook none'),
  });
}, 120_000);

test('a program runs in UTC, whatever the time zone of the machine', async () => {
  const source = `export const examples = [{ name: 'zone', input: {}, output: ['2026-01-01T00:00:00.000Z', 0, 0] }];
export default () => [new Date(2026, 0, 1).toISOString(), new Date(0).getHours(), new Date().getTimezoneOffset()];
`;
  const desk = writePlaybook({ 'zone.computation.ts': source });
  expect(await cuebook(['test', desk], { env: { TZ: 'America/New_York' } })).toMatchObject({ code: 0 });
});

test('doctor prints the settings and the sizes of the tables', async () => {
  await cuebook(['apply', writePlaybook()]);
  const report = JSON.parse((await cuebook(['doctor', '--json'])).stdout) as {
    settings: object;
    tables: { table: string; rows: number }[];
  };
  expect(report.settings).toMatchObject({ DATA_DIR: dataDir, HOST: '127.0.0.1' });
  expect(report.tables.find(({ table }) => table === 'events')?.rows).toBe(2);
  expect(await cuebook(['doctor', '--rebuild'])).toMatchObject({
    code: 0,
    stdout: 'Rebuilt the read tables from 2 events.\n',
  });
}, 60_000);

test('the launcher runs in any version of Node', () => {
  const launcher = fileURLToPath(new URL('../../../bin/cuebook.js', import.meta.url));
  expect(spawnSync(process.execPath, [launcher, '--version']).stdout.toString()).toMatch(
    /^\d+\.\d+\.\d+(?: \([0-9a-f]{12}(?:-dirty)?\))?\n$/,
  );
});
