// The files of deploy/, the Dockerfile and compose.yaml, as far as they can be checked without running them.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { VARIABLES } from '../server/settings/described.ts';
import { readSettings } from '../server/settings/index.ts';
import { selfSigned, temporaryFolder } from '../server/test/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const UNIT = 'deploy/cuebook@.service';

interface Service {
  environment?: Record<string, string>;
}
const compose = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, Service> };

/** `NAME=value` of each line. */
const assignments = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

test('every variable that the files set for a server is one of its settings', () => {
  const inUnit = /^Environment=(?<assigned>.*)$/m.exec(read(UNIT))?.groups?.['assigned']?.split(' ') ?? [];
  const inImage = /^ENV (?<assigned>.*)$/m.exec(read('Dockerfile'))?.groups?.['assigned']?.split(' ') ?? [];
  const names = [
    ...[...inUnit, ...inImage].map((assigned) => assigned.split('=')[0] ?? ''),
    ...Object.keys(assignments(read('deploy/env.example'))),
    ...Object.keys(compose.services['cuebook-1']?.environment ?? {}),
  ];
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !Object.hasOwn(VARIABLES, name))).toEqual([]);
});

test('the settings of the two servers of compose.yaml are valid and the same', () => {
  const { 'cuebook-1': one, 'cuebook-2': other } = compose.services;
  expect(one).toEqual(other);
  const key = { name: 'ada', sha256: 'a'.repeat(64), org: 'acme', permissions: ['org:read'] };
  const given: Record<string, string> = {
    POSTGRES_PASSWORD: 'secret',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    API_KEYS: JSON.stringify([key]),
    CUEBOOK_HOST: 'cuebook.example.com',
  };
  const environment = Object.fromEntries(
    Object.entries(one?.environment ?? {}).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => given[variable] ?? ''),
    ]),
  );
  const folder = temporaryFolder();
  const image = { HOST: '0.0.0.0', PORT: '4747', DATA_DIR: folder.path };
  expect(readSettings({ ...environment, ...image })).toMatchObject({
    mode: 'published',
    publicUrl: 'https://cuebook.example.com',
    database: { kind: 'postgres', place: 'postgres:5432/cuebook' },
  });
  folder.remove();
});

const isThere = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;
const TEAMS = read('docs/teams.md');
/** The blocks of code of a page that contain a text. */
const blocksWith = (page: string, text: string): string[] =>
  [...page.matchAll(/```\w*\n(?<block>[\s\S]*?)```/g)]
    .map(({ groups }) => groups?.['block'] ?? '')
    .filter((block) => block.includes(text));

test.skipIf(!isThere('systemd-analyze', '--version')).each([
  ['of deploy/', 'cuebook@4747.service', () => read(UNIT)],
  ['of docs/headless.md', 'cuebook.service', () => blocksWith(read('docs/headless.md'), '[Unit]')[0] ?? ''],
])('systemd takes the unit %s', (_place, name, source) => {
  const folder = temporaryFolder();
  const file = path.join(folder.path, name);
  writeFileSync(file, source());
  const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  folder.remove();
  // Its program and user need not exist here.
  const faults = stderr
    .split('\n')
    .filter((line) => line.includes(name) && !/is not executable|No such file/.test(line));
  expect(faults).toEqual([]);
  expect(source()).toContain('ExecStart=');
});

test.skipIf(!isThere('caddy', 'version'))('Caddy takes its configurations', () => {
  const configurations = [read('deploy/Caddyfile'), ...blocksWith(TEAMS, 'reverse_proxy 127.0.0.1')];
  expect(configurations).toHaveLength(3);
  const folder = temporaryFolder();
  for (const configuration of configurations) {
    const file = path.join(folder.path, 'Caddyfile');
    writeFileSync(file, configuration);
    const adapted = spawnSync('caddy', ['adapt', '--config', file, '--adapter', 'caddyfile'], { encoding: 'utf8' });
    expect(adapted.status, adapted.stderr).toBe(0);
  }
  folder.remove();
});

const pair = isThere('nginx', '-v') ? selfSigned() : undefined;

test.skipIf(pair === undefined)('nginx takes its configurations, for one server and for two', () => {
  const [server = ''] = blocksWith(TEAMS, 'proxy_pass ');
  const [upstream = ''] = blocksWith(TEAMS, 'upstream cuebook');
  const folder = temporaryFolder();
  const file = (name: string, content: string): string => {
    writeFileSync(path.join(folder.path, name), content);
    return path.join(folder.path, name);
  };
  file('fullchain.pem', pair?.cert ?? '');
  file('privkey.pem', pair?.key ?? '');
  const ours = server.replaceAll('/etc/letsencrypt/live/cuebook.example.com', folder.path);
  for (const content of [ours, upstream + ours.replace('http://127.0.0.1:4747', 'http://cuebook')]) {
    const whole = `pid ${folder.path}/pid; error_log stderr; events {} http { access_log off; ${content} }`;
    const checked = spawnSync('nginx', ['-t', '-c', file('nginx.conf', whole)], { encoding: 'utf8' });
    expect(checked.status, checked.stderr).toBe(0);
  }
  folder.remove();
});
