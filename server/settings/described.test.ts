// A setting that nothing describes, and a description of no setting, fail here.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../test/index.ts';
import { compileOwnSchema } from '../lib/schemas/index.ts';
import { CONFIG_KEYS, configSchema } from './config-parts.ts';
import { VARIABLES } from './described.ts';
import { SERVER_SETTINGS } from './server-settings.ts';
import { readSettings } from './settings.ts';

const SERVER = fileURLToPath(new URL('..', import.meta.url));
const folder = temporaryFolder();
afterAll(() => folder.remove());

/** The variables that the code names where it reads them; one that it only sets is none. */
function variablesRead(): string[] {
  const sources = globSync('**/*.ts', { cwd: SERVER })
    .filter((file) => !/test(ing)?\.ts$|^test(ing)?/.test(file))
    .map((file) => readFileSync(path.join(SERVER, file), 'utf8'));
  const reads = /\benvironmentVariable\(\w+(?:\(\))?, '(?<setting>\w+)'\)|process\.env\['(?<own>\w+)'\](?! = )/g;
  return sources.flatMap((source) =>
    [...source.matchAll(reads)].flatMap(({ groups }) =>
      Object.values(groups ?? {}).filter((name) => name !== undefined),
    ),
  );
}

test('every variable that the code reads is described, and no other', () => {
  const described = [
    ...Object.values(SERVER_SETTINGS).flatMap(({ variables }) => Object.keys(variables)),
    ...Object.values(CONFIG_KEYS).flatMap(({ variable }) => variable ?? []),
  ];
  expect(Object.keys(VARIABLES).toSorted()).toEqual([...new Set([...variablesRead(), ...described])].toSorted());
});

test.each(Object.entries(CONFIG_KEYS))('the example of %s fits, also by the schema of the file', (key, { example }) => {
  expect(Object.keys(parse(example) as object)).toEqual([key]);
  expect(compileOwnSchema(configSchema())(parse(example), '')).toEqual([]);
  const named = [...example.matchAll(/\$\{(\w+)\}|variable: (\w+)/g)].map(([, one, other]) => one ?? other ?? '');
  const providers = { OPENAI_API_KEY: 'a-value-of-its-own', AZURE_API_KEY: 'another', AZURE_RESOURCE_NAME: 'house' };
  const environment = { ...providers, ...Object.fromEntries(named.map((name) => [name, 'a-value-of-its-own'])) };
  writeFileSync(path.join(folder.path, 'cuebook.yaml'), example);
  expect(() => readSettings({ ...environment, DATA_DIR: folder.path })).not.toThrow();
});
