import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { apiClient, CLIENT_FILE } from './api-client.ts';
import { referencePages } from './reference/index.ts';
import { DESCRIPTIONS_FILE, studioDescriptions } from './studio-descriptions.ts';

const FOLDER = fileURLToPath(new URL('../docs/reference/', import.meta.url));
const HINT = 'docs/reference is not what the code gives; run `npm run docs:reference`';

test('the reference is what the code gives, each time the same', async () => {
  const [pages, again] = [await referencePages(), await referencePages()];
  expect(again).toEqual(pages);
  const committed = globSync('**/*.{md,json}', { cwd: FOLDER }).map((file) => file.split(path.sep).join('/'));
  expect(committed.toSorted(), HINT).toEqual(pages.map(({ file }) => file).toSorted());
  for (const { file, markdown } of pages) {
    expect(readFileSync(path.join(FOLDER, file), 'utf8'), `${file}: ${HINT}`).toBe(markdown);
  }
});

test('every operation, and every table that was to have rows, is there', async () => {
  const pages = await referencePages();
  const all = pages.map(({ markdown }) => markdown).join('\n');
  for (const name of [
    'create_playbook',
    'run_definition',
    'publish_event',
    'run_started',
    'invalid_input',
    'LOG_LEVEL',
  ]) {
    expect(all).toContain(`# \`${name}\`\n`);
  }
  expect(all).not.toMatch(/undefined|\[object/);
});

test('the generated client is what the OpenAPI document gives', async () => {
  const isCurrent = readFileSync(CLIENT_FILE, 'utf8') === (await apiClient());
  expect(isCurrent, 'shared/api/operations.generated.ts is stale; run `npm run api:client` and commit it').toBe(true);
});

test('what the studio shows of descriptions is what they say', () => {
  const isCurrent = readFileSync(DESCRIPTIONS_FILE, 'utf8') === studioDescriptions();
  expect(isCurrent, 'shared/api/descriptions.generated.ts is stale; run `npm run api:client` and commit it').toBe(true);
});
