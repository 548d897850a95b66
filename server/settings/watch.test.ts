import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../lib/clock.ts';
import { temporaryFolder } from '../test/index.ts';
import { readSettings, type Settings, watchSettings } from './index.ts';

const DESK = { org: 'local', playbook: 'desk' };

let folder: ReturnType<typeof temporaryFolder>;
let config: string;
let env: string;
let clock: FakeClock;
let logged: { level: number; msg: string }[];
let stop: () => void;
beforeEach(() => {
  folder = temporaryFolder();
  config = path.join(folder.path, 'cuebook.yaml');
  env = path.join(folder.path, 'env');
  clock = createFakeClock();
  logged = [];
  stop = () => {};
});
afterEach(() => {
  stop();
  folder.remove();
});

function watched(text: string, environment: Record<string, string> = {}): Settings {
  writeFileSync(config, text);
  const settings = readSettings({ ...environment, DATA_DIR: folder.path });
  const logger = pino({}, { write: (line: string) => logged.push(JSON.parse(line)) });
  stop = watchSettings(settings, logger, clock);
  return settings;
}

const hostList = (...hosts: string[]): string => `workflow_http: [${hosts.map((host) => `{ host: ${host} }`).join()}]`;
const allowed = (settings: Settings): string[] => ['a', 'b', 'c'].filter(settings.workflowHosts(DESK));
const twoLooks = (): void => clock.advance(1000);

test('1: a changed file is read once it stands still', () => {
  const settings = watched(hostList('a'));
  writeFileSync(config, hostList('b'));
  clock.advance(500);
  expect(allowed(settings)).toEqual(['a']);
  writeFileSync(config, hostList('b', 'c'));
  clock.advance(500);
  expect(allowed(settings)).toEqual(['a']);
  clock.advance(500);
  expect(allowed(settings)).toEqual(['b', 'c']);
  expect(logged).toMatchObject([{ level: 30, configFile: { path: config, entries: { workflow_http: 2 } } }]);
});

test('2: a file that does not fit keeps the old, is told once, and is read again when put right', () => {
  const settings = watched(hostList('a'));
  writeFileSync(config, hostList('b', '"*"'));
  twoLooks();
  twoLooks();
  expect(allowed(settings)).toEqual(['a']);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toMatchObject({ level: 40, msg: expect.stringContaining('workflow_http[1].host') });
  expect(logged[0]?.msg).toContain('The previous configuration stays in force.');
  writeFileSync(config, hostList('c'));
  twoLooks();
  expect(allowed(settings)).toEqual(['c']);
});

test('a file that changed between the start and the first look is not missed', () => {
  writeFileSync(config, hostList('a'));
  const settings = readSettings({ DATA_DIR: folder.path });
  writeFileSync(config, hostList('b', 'c'));
  stop = watchSettings(settings, pino({ level: 'silent' }), clock);
  twoLooks();
  expect(allowed(settings)).toEqual(['b', 'c']);
});

test('a file that is replaced, removed or comes back is noticed', () => {
  const settings = watched(hostList('a'));
  writeFileSync(`${config}.new`, hostList('b'));
  renameSync(`${config}.new`, config);
  twoLooks();
  expect(allowed(settings)).toEqual(['b']);
  rmSync(config);
  twoLooks();
  expect(allowed(settings)).toEqual([]);
  writeFileSync(config, hostList('c'));
  twoLooks();
  expect(allowed(settings)).toEqual(['c']);
});

test('a file that CONFIG_FILE names keeps what it gave when it is removed', () => {
  const settings = watched(hostList('a'), { CONFIG_FILE: config });
  rmSync(config);
  twoLooks();
  expect(allowed(settings)).toEqual(['a']);
  expect(logged[0]?.msg).toContain('CONFIG_FILE names');
});

test('a changed env file gives its new secrets; the environment still wins', () => {
  writeFileSync(env, 'ONE=old\nTWO=old', { mode: 0o600 });
  const settings = watched('workflow_secrets: [{ variable: ONE }, { variable: TWO }]', { TWO: 'own' });
  writeFileSync(env, 'ONE=newer\nTWO=newer');
  twoLooks();
  expect(settings.workflowSecrets(DESK)).toEqual({ ONE: 'newer', TWO: 'own' });
  expect(JSON.stringify(logged)).not.toContain('newer');
});

test.skipIf(process.platform === 'win32')(
  'an env file that others may use is not read until its mode is put right',
  () => {
    writeFileSync(env, 'ONE=old', { mode: 0o600 });
    const settings = watched('workflow_secrets: [{ variable: ONE }]');
    chmodSync(env, 0o644);
    writeFileSync(env, 'ONE=newer');
    twoLooks();
    expect(settings.workflowSecrets(DESK)).toEqual({ ONE: 'old' });
    chmodSync(env, 0o600);
    twoLooks();
    expect(settings.workflowSecrets(DESK)).toEqual({ ONE: 'newer' });
  },
);

test('a copy of the settings follows too, and a watch that was stopped reads nothing', () => {
  const settings = watched(hostList('a'));
  const copy = { ...settings, port: 0 };
  writeFileSync(config, hostList('b', 'c'));
  twoLooks();
  expect(allowed(copy)).toEqual(['b', 'c']);
  stop();
  writeFileSync(config, hostList('a'));
  twoLooks();
  expect(allowed(copy)).toEqual(['b', 'c']);
});
