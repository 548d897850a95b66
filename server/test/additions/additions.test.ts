// What CONTRIBUTING.md says of additions ("Files to change"), done once: a copy of the tree gets the files and lines that
// it names and no others. What is generated is generated anew; then the copy is type-checked and served.
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type * as Reference from '../../../scripts/reference/settings.ts';
import type * as StudioDescriptions from '../../../shared/api/descriptions.generated.ts';
import type * as Steps from '../../../renderer/editor/workflow-edits/steps.ts';
import type * as ApplyChange from '../../../renderer/editor/yaml/schemas/apply-change.ts';
import type * as NewSteps from '../../../renderer/places/definitions/visual/new-steps.ts';
import type * as StepFields from '../../../renderer/places/definitions/visual/step-fields.ts';
import type * as CommandSettings from '../../interfaces/cli/command-settings.ts';
import type * as SettingsModule from '../../settings/index.ts';
import type { Settings } from '../../settings/index.ts';
import type * as Types from '../../../shared/definition-types.ts';
import type { SchemaChange } from '../../../shared/workflow-tasks.ts';
import { type McpTestClient, newClient } from '../../interfaces/mcp/mcp.testing.ts';
import {
  type Answer,
  CANARY_KEY,
  createTestClient,
  type LoopbackServer,
  serveLoopback,
  type ServerProcess,
  startServerProcess,
  temporaryFolder,
  type TestClient,
} from '../index.ts';
import { addEach } from './add-each.ts';
import { copyTree } from './copied-tree.ts';

const AT = '/v1/orgs/local/playbooks/club';
const DATE = `question: Which evening suits you?
options: [monday, tuesday]
expose: true
`;

const CONFIG = 'cages:\n  - { name: salon, birds: 2 }\n';

const tree = copyTree();
const data = temporaryFolder();
let provider: LoopbackServer;
let environment: Record<string, string>;
let server: ServerProcess;
let client: TestClient;
let mcp: McpTestClient;
let saved: Answer;

/** Lists one model, which answers, and knows another, which is out of credits. */
async function answerAsParrot(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const json = (status: number, body: object): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (request.headers['x-parrot-key'] === CANARY_KEY) return json(200, { birds: [{ call: 'polly', words: 4096 }] });
  if (request.headers.authorization !== `Bearer ${CANARY_KEY}`) return json(401, {});
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { model } = JSON.parse(Buffer.concat(chunks).toString()) as { model: string };
  if (model !== 'polly') return json(400, { error: { code: 'perch_taken', message: 'Squawk.' } });
  const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello.' } };
  return json(200, { id: '1', object: 'chat.completion', created: 1, model, choices: [choice] });
}

beforeAll(async () => {
  addEach(tree);
  await tree.node(['scripts/api-client.ts']);
  provider = await serveLoopback((request, response) => void answerAsParrot(request, response));
  environment = { PARROT_API_KEY: CANARY_KEY, PARROT_BASE_URL: `${provider.address}/v1`, TRICKS: '4' };
  writeFileSync(path.join(data.path, 'cuebook.yaml'), CONFIG);
  server = await startServerProcess(data.path, { main: tree.inTree('server/main.ts'), environment });
  client = await createTestClient(server.address);
  await client.post('/v1/orgs/local/playbooks', { playbook: 'club', name: 'Club' });
  saved = await client.post(`${AT}/definitions/ballot`, { name: 'date', source: DATE });
  mcp = await newClient(server, '/orgs/local/playbooks/club/mcp');
}, 120_000);
afterAll(async () => {
  await mcp?.close();
  await server?.end('SIGTERM');
  await provider?.close();
  tree.remove();
  data.remove();
});

const doctor = (...args: string[]): Promise<string> =>
  tree.node(['server/main.ts', 'doctor', '--data-dir', data.path, ...args], environment);
const started = async (input: object): Promise<Answer['body']> =>
  (await client.post(`${AT}/definitions/ballot/date/run`, { input })).body;
const runOf = async (id: string): Promise<Answer['body']> => (await client.get(`${AT}/runs/${id}`)).body;

test('the server and the studio still fit together', async () => {
  const project = { extends: './tsconfig.base.json', compilerOptions: { lib: ['es2024'], types: ['node'] } };
  writeFileSync(
    tree.inTree('tsconfig.json'),
    JSON.stringify({ ...project, include: ['server/main.ts', 'server/**/*.d.ts'] }),
  );
  expect(await Promise.all([tree.typeIssues('.'), tree.typeIssues('renderer')])).toEqual(['', '']);
}, 120_000);

describe('a kind of definition', () => {
  test('the studio lists it: its list asks for each type, and its icon and language stand there', async () => {
    const types = (await import(tree.inTree('shared/definition-types.ts'))) as typeof Types;
    expect(types.DEFINITION_TYPES).toContain('ballot');
    const { body } = await client.get(`${AT}/definitions/ballot`);
    expect(body.definitions).toMatchObject([{ type: 'ballot', name: 'date', details: { expose: true } }]);
    expect((await client.get(`${AT}/definitions/ballot/date`)).body.source).toBe(DATE);
  });

  test('a document is saved, and one that does not fit is refused', async () => {
    expect(saved).toMatchObject({ status: 201, body: { type: 'ballot', name: 'date', version: 1 } });
    const refused = await client.post(`${AT}/definitions/ballot`, { name: 'none', source: 'options: []' });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/source' }] },
    });
  });

  test('a run may end at once', async () => {
    expect(await started({ choice: 'monday' })).toMatchObject({ status: 'succeeded', output: { chosen: 'monday' } });
  });

  test('a run of the same definition may wait for an answer, as its history and the inbox show', async () => {
    const { run_id: id, ...begun } = await started({ voter: 'people/ada' });
    expect(begun).toMatchObject({ status: 'started', waits_for: ['answer'] });
    expect((await client.get(`${AT}/interactions`)).body.interactions).toMatchObject([
      { run_id: id, type: 'ballot', to: 'people/ada', message: 'Which evening suits you?' },
    ]);
    expect(await client.post(`${AT}/runs/${id}/answer`, { answer: 'sunday' })).toMatchObject({ status: 422 });
    expect(await client.post(`${AT}/runs/${id}/answer`, { answer: 'tuesday' })).toMatchObject({ status: 200 });
    await expect.poll(async () => (await runOf(id)).status).toBe('succeeded');
    expect(await runOf(id)).toMatchObject({ output: { chosen: 'tuesday' }, record: { voter: 'people/ada' } });
    const { events } = (await client.get(`${AT}/runs/${id}/history`)).body as { events: { type: string }[] };
    expect(events.map(({ type }) => type)).toEqual([
      'run_started',
      'interaction_requested',
      'run_deferred',
      'request_answered',
      'workflow_input_applied',
      'run_succeeded',
    ]);
  });

  test('a run that waits can be cancelled', async () => {
    const { run_id: id } = await started({});
    expect(await client.post(`${AT}/runs/${id}/cancel`, { reason: 'No meeting.' })).toMatchObject({ status: 200 });
    await expect.poll(async () => (await runOf(id)).reason).toBe('cancelled');
  });

  test('agents run it: as a tool of its own, and with run_definition', async () => {
    expect((await mcp.tools()).map(({ name }) => name)).toContain('ballot_date');
    const own = await mcp.call('ballot_date', { choice: 'monday' });
    expect(own.structured).toMatchObject({ status: 'succeeded', output: { chosen: 'monday' } });
    const given = { type: 'ballot', name: 'date', input: { choice: 'tuesday' } };
    expect((await mcp.call('run_definition', given)).structured).toMatchObject({ output: { chosen: 'tuesday' } });
  });
});

describe('a model provider', () => {
  const ask = async (name: string): Promise<Answer> => {
    await client.post(`${AT}/definitions/reasoning`, { name, source: `---\nmodel: parrot/${name}\n---\nSay hello.\n` });
    return client.post(`${AT}/definitions/reasoning/${name}/run`, { input: {} });
  };

  test('is listed with its variable, and with its models in its own format', async () => {
    const { providers } = (await client.get('/v1/orgs/local/model-providers')).body;
    expect(providers).toContainEqual(
      expect.objectContaining({
        provider: 'parrot',
        kind: 'hosted',
        configured_by: 'environment',
        variables: ['PARROT_API_KEY'],
      }),
    );
    const { models, catalog_status: status } = (await client.get('/v1/orgs/local/models?provider=parrot')).body;
    expect(models).toEqual([
      { id: 'parrot/polly', provider: 'parrot', model: 'polly', name: 'polly', context_window: 4096 },
    ]);
    expect(status).toBe('complete');
  });

  test('answers a reasoning function', async () => {
    expect(await ask('polly')).toMatchObject({
      status: 200,
      body: { status: 'succeeded', output: { text: 'Hello.' } },
    });
  });

  test('fails with the meaning that its own error code has', async () => {
    expect((await ask('mute')).body).toMatchObject({ detail: expect.stringContaining('credits') });
  });

  test('has its name in the studio, its row in the reference and its place in `cuebook doctor`', async () => {
    const { MODEL_PROVIDER_NAMES: names } = (await import(
      tree.inTree('shared/api/descriptions.generated.ts')
    )) as typeof StudioDescriptions;
    expect(names).toMatchObject({ parrot: 'Parrot' });
    const { settingsPage } = (await import(tree.inTree('scripts/reference/settings.ts'))) as typeof Reference;
    expect(settingsPage().markdown).toContain('| `parrot` | `PARROT_API_KEY` | `PARROT_BASE_URL` |');
    expect(await doctor()).toContain('model providers: parrot');
  });
});

describe('a setting and a key of the configuration file', () => {
  const settings = async (
    overrides: object = {},
  ): Promise<Settings & { knownTricks: number; cages: () => unknown }> => {
    const { readSettings } = (await import(tree.inTree('server/settings/index.ts'))) as typeof SettingsModule;
    return readSettings({ ...environment, DATA_DIR: data.path }, overrides) as Awaited<ReturnType<typeof settings>>;
  };

  test('are members of the settings, and what does not fit is refused', async () => {
    expect(await settings()).toMatchObject({ knownTricks: 4 });
    expect(await settings({ knownTricks: '5' })).toMatchObject({ knownTricks: 5 });
    expect((await settings()).cages()).toEqual([{ name: 'salon', birds: 2 }]);
    await expect(settings({ knownTricks: 'many' })).rejects.toThrow('TRICKS is "many"; it must be a digit.');
  });

  test('are shown by `cuebook doctor`; the variable has its option of `serve`', async () => {
    expect(await doctor()).toMatch(/^TRICKS: 4$[^]*\bcages 1\b/m);
    expect(await tree.node(['server/main.ts', 'serve', '--help'])).toMatch(/--known-tricks <number> +how many tricks/);
    const serve = tree.node(
      ['server/main.ts', 'serve', '--data-dir', data.path, '--known-tricks', 'many'],
      environment,
    );
    await expect(serve).rejects.toThrow('TRICKS is "many"; it must be a digit.');
  });

  test('are in the reference, and the key in the JSON Schema of the file', async () => {
    const { configSchemaFile, settingsPage } = (await import(
      tree.inTree('scripts/reference/settings.ts')
    )) as typeof Reference;
    const { markdown } = settingsPage();
    expect(markdown).toContain(
      'How many tricks the parrot knows. Default: `3`. The option `--known-tricks` of `serve` takes precedence.',
    );
    expect(markdown).toContain('### `cages`');
    expect(JSON.parse(configSchemaFile().markdown)).toMatchObject({ properties: { cages: { type: 'array' } } });
  });

  test('a runtime that serves one command has the default in place of a value that does not fit', async () => {
    const { settingsOfCommand } = (await import(
      tree.inTree('server/interfaces/cli/command-settings.ts')
    )) as typeof CommandSettings;
    const { openSettings } = (await import(tree.inTree('server/settings/index.ts'))) as typeof SettingsModule;
    expect(settingsOfCommand(openSettings({ TRICKS: 'many', DATA_DIR: data.path }))).toMatchObject({ knownTricks: 3 });
  });
});

describe('a type of workflow task', () => {
  const TWICE = { twice: { from: '{ n: 0 }', do: [{ add: { set: '${ { n: (.n + $round) } }' } }] } };
  const load = (file: string): Promise<unknown> => import(tree.inTree(`renderer/${file}`)) as Promise<unknown>;

  test('runs, and is a node of the graph with its steps', async () => {
    const document = { dsl: '1.0.3', namespace: 'club', name: 'counts', version: '1.0.0' };
    const source = JSON.stringify({ document, do: [{ count: TWICE }] });
    const { body } = await client.post(`${AT}/definitions/workflow/check`, { source, include: ['graph'] });
    expect(body.graph.nodes).toContainEqual(expect.objectContaining({ id: '/do/0/count', type: 'twice' }));
    expect((await client.post(`${AT}/definitions/workflow`, { name: 'counts', source })).status).toBe(201);
    const run = await client.post(`${AT}/definitions/workflow/counts/run`, { input: {} });
    expect(run.body).toMatchObject({ status: 'succeeded', output: { n: 3 } });
  });

  test('can be inserted in the studio, and has its fields and its list of steps', async () => {
    const { NEW_STEPS } = (await load('places/definitions/visual/new-steps.ts')) as typeof NewSteps;
    expect(NEW_STEPS.at(-1)).toMatchObject({ title: 'twice', about: 'Do steps two times', name: 'repeat' });
    const { fieldsOf } = (await load('places/definitions/visual/step-fields.ts')) as typeof StepFields;
    expect(fieldsOf(TWICE)[0]).toMatchObject({ label: 'From', value: '{ n: 0 }' });
    const { stepsOf } = (await load('editor/workflow-edits/steps.ts')) as typeof Steps;
    expect(stepsOf({ do: [{ count: TWICE }] }).map(({ name }) => name)).toEqual(['count', 'add']);
  });

  test('is completed by the editor', async () => {
    const { WORKFLOW_TASKS } = (await import(
      tree.inTree('shared/api/descriptions.generated.ts')
    )) as typeof StudioDescriptions;
    const { applyChange } = (await load('editor/yaml/schemas/apply-change.ts')) as typeof ApplyChange;
    const schema = parse(tree.read('resources/schemas/workflow.yaml')) as Record<string, unknown>;
    applyChange(schema, WORKFLOW_TASKS['twice']?.schema as SchemaChange);
    expect(schema).toMatchObject({
      $defs: { task: { oneOf: expect.arrayContaining([{ title: 'TwiceTask', required: ['twice'] }]) } },
    });
  });
});

test('a guide is served under its name', async () => {
  expect((await client.get('/v1/guides/parrots')).text).toContain('They repeat.');
});
