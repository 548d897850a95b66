import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, temporaryFolder, type TestServer } from '../../../server/test/index.ts';
import { typeOfFile } from '../../../shared/definition-types.ts';
import { definitionOfFile } from '../../api/definition-files.ts';
import { TEMPLATES } from './templates.ts';

const FOLDER = path.join(import.meta.dirname, '../../../resources/templates');

const folder = temporaryFolder();

let server: TestServer;
beforeAll(async () => {
  // What a template needs of the operator; each is a warning otherwise.
  const configuration = path.join(folder.path, 'cuebook.yaml');
  writeFileSync(configuration, 'workflow_http: [{ host: files.example.com }]\n');
  server = await startServer({ environment: { OPENAI_API_KEY: 'a-key-of-no-use', CONFIG_FILE: configuration } });
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

test('every folder of templates is offered, and nothing else', () => {
  expect(TEMPLATES.map(({ id }) => id).toSorted()).toEqual(readdirSync(FOLDER).toSorted());
});

describe.each(TEMPLATES)('the template $id', ({ id, definitions }) => {
  const files = readdirSync(path.join(FOLDER, id)).map((file) => ({
    file,
    type: typeOfFile(file) ?? 'unknown',
    text: readFileSync(path.join(FOLDER, id, file), 'utf8'),
  }));

  test('is saved as a whole, without a warning', async () => {
    const all = await Promise.all(files.map(({ file, text }) => definitionOfFile(file, text)));
    const { body, status } = await server.post(`/v1/orgs/local/playbooks/${id}/apply`, { name: id, definitions: all });
    expect(body, JSON.stringify(body)).toMatchObject({ playbook: 'create' });
    expect(status).toBe(200);
    expect(body.definitions).toHaveLength(definitions.length);
    for (const { change, warnings = [] } of body.definitions)
      expect({ change, warnings }).toEqual({ change: 'create', warnings: [] });
  });

  test.each(files)('$file: its examples pass', async ({ type, text }) => {
    const { body } = await server.post(`/v1/orgs/local/playbooks/${id}/definitions/${type}/test`, { source: text });
    expect(body, JSON.stringify(body)).toMatchObject({ valid: true, failed: 0 });
  });
});
