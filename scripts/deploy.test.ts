// The files of deploy/, the Dockerfile and compose.yaml, as far as they can be checked without running them.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { VARIABLES } from '../server/settings/described.ts';
import { readSettings } from '../server/settings/index.ts';
import { temporaryFolder } from '../server/test/index.ts';

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

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test.skipIf(!hasSystemd)('systemd takes the unit', () => {
  const folder = temporaryFolder();
  const file = path.join(folder.path, 'cuebook@4747.service');
  cpSync(path.join(ROOT, UNIT), file);
  const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  folder.remove();
  // Its program and user need not exist here.
  const faults = stderr
    .split('\n')
    .filter((line) => line.includes('cuebook@') && !/is not executable|No such file/.test(line));
  expect(faults).toEqual([]);
});
