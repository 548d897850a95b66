// A setting that nothing describes, and a description of no setting, fail here.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../test/index.ts';
import { CONFIG_FILE_KEYS } from './config-keys.ts';
import { CONFIG_KEYS, VARIABLES } from './described.ts';
import { VARIABLE_OF } from './models/index.ts';
import { readSettings } from './settings.ts';

const SERVER = fileURLToPath(new URL('..', import.meta.url));
const folder = temporaryFolder();
afterAll(() => folder.remove());

/** The variables that the code names where it reads them; one that it only sets is none. */
function variablesRead(): string[] {
  const sources = globSync('**/*.ts', { cwd: SERVER })
    .filter((file) => !/test(ing)?\.ts$|^test(ing)?/.test(file))
    .map((file) => readFileSync(path.join(SERVER, file), 'utf8'));
  const reads = /\benvironmentVariable\(\w+, '(?<setting>\w+)'\)|process\.env\['(?<own>\w+)'\](?! = )/g;
  return sources.flatMap((source) =>
    [...source.matchAll(reads)].flatMap(({ groups }) =>
      Object.values(groups ?? {}).filter((name) => name !== undefined),
    ),
  );
}

test('every variable that the code reads is described, and no other', () => {
  expect(Object.keys(VARIABLES).toSorted()).toEqual(
    [...new Set([...variablesRead(), ...Object.values(VARIABLE_OF)])].toSorted(),
  );
});

test('every key of the configuration file is described, and no other', () => {
  expect(Object.keys(CONFIG_KEYS).toSorted()).toEqual(CONFIG_FILE_KEYS.toSorted());
});

test.each(CONFIG_FILE_KEYS)('the example of %s fits', (key) => {
  const { example = '' } = CONFIG_KEYS[key] ?? {};
  expect(Object.keys(parse(example) as object)).toEqual([key]);
  const named = [...example.matchAll(/\$\{(\w+)\}|variable: (\w+)/g)].map(([, one, other]) => one ?? other ?? '');
  const providers = { OPENAI_API_KEY: 'a-value-of-its-own', AZURE_API_KEY: 'another', AZURE_RESOURCE_NAME: 'house' };
  const environment = { ...providers, ...Object.fromEntries(named.map((name) => [name, 'a-value-of-its-own'])) };
  writeFileSync(path.join(folder.path, 'cuebook.yaml'), example);
  expect(() => readSettings({ ...environment, DATA_DIR: folder.path })).not.toThrow();
});
