// Each command asks for the settings that it uses, and for no others.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServerProcess } from '../../test/index.ts';
import { createCommandLine } from './cuebook.testing.ts';

const line = createCommandLine();
const UNSET = `tool_servers:
  docs: { type: mcp, url: "https://docs.example/mcp", headers: { Authorization: "Bearer \${DOCS_TOKEN}" } }
model_gateways: [{ name: mine, base_url: "https://models.example", api_key: "\${MODELS_KEY}" }]
workflow_secrets: [{ variable: DESK_TOKEN }]
`;
const ASKS = `document: { dsl: '1.0.3', namespace: desk, name: asks, version: '1.0.0' }
do:
  - ask: { call: tool, with: { tool: docs/find, arguments: {} } }
`;
const SAYS = `document: { dsl: '1.0.3', namespace: desk, name: says, version: '1.0.0' }
use: { secrets: [DESK_TOKEN] }
do:
  - length: { set: { length: '\${ $secrets.DESK_TOKEN | length }' } }
`;
const ASK_MODEL = `---
model: MODEL
input: { type: object, properties: { text: { type: string } }, required: [text] }
---
{{ input.text }}
`;
const [ID, OTHER_ID] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'];

beforeAll(() => {
  mkdirSync(line.dataDir, { recursive: true });
  writeFileSync(path.join(line.dataDir, 'cuebook.yaml'), UNSET);
});
afterAll(() => line.remove());

/** What a command that needs none of the variables returns. */
const quiet = () => ({ code: 0, stderr: expect.not.stringContaining('which is not set') });

describe('given a configuration that names variables that are not set', () => {
  test('then commands that need none of them run', async () => {
    const playbook = line.writePlaybook({
      'asks.workflow.yaml': ASKS,
      'says.workflow.yaml': SAYS,
      'asks-another.reasoning.md': ASK_MODEL.replace('MODEL', 'openai/gpt-5-mini'),
      'asks-gateway.reasoning.md': ASK_MODEL.replace('MODEL', 'mine/small'),
    });
    expect(await line.cuebook(['apply', playbook], { env: { OPENAI_API_KEY: 'a-key-of-openai' } })).toMatchObject({
      ...quiet(),
      stderr: expect.not.stringContaining('warning'),
    });
    expect(await line.cuebook(['run', 'desk', 'reasoning/asks-gateway', '--input', '{"text":"hello"}'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('names the variable MODELS_KEY, which is not set'),
    });
    expect(await line.cuebook(['run', 'desk', 'workflow/says', '--run-id', OTHER_ID])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('names the variable DESK_TOKEN, which is not set'),
    });
    expect(await line.cuebook(['history', 'desk', OTHER_ID])).toMatchObject({ code: 1 });
    expect(
      await line.cuebook(['run', 'desk', 'computation/double', '--input', '{"n":4}', '--run-id', ID]),
    ).toMatchObject({
      ...quiet(),
      stdout: '8\n',
    });
    for (const args of [
      ['history', 'desk', ID],
      ['inbox'],
      ['diff', playbook],
      ['export', 'desk', path.join(line.folder, 'exported')],
      ['keys', 'list'],
      ['backup', path.join(line.folder, 'desk.backup')],
      ['restore', path.join(line.folder, 'desk.backup'), '--data-dir', path.join(line.folder, 'restored')],
      ['doctor', '--rebuild'],
      ['connect', 'cursor', '--playbook', 'desk'],
    ]) {
      expect([args, await line.cuebook(args)]).toEqual([args, expect.objectContaining(quiet())]);
    }
  }, 120_000);

  test('then a run that would use one is left to a server, and waiting for it is refused with the name', async () => {
    expect(await line.cuebook(['run', 'desk', 'workflow/asks'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"status": "started"'),
    });
    const words = /cuebook\.yaml names the variable \w+, which is not set/;
    for (const args of [['run', 'desk', 'workflow/asks', '--wait'], ['serve'], ['doctor']]) {
      expect([args, await line.cuebook(args)]).toEqual([
        args,
        expect.objectContaining({ code: 2, stderr: expect.stringMatching(words) }),
      ]);
    }
    expect((await line.cuebook(['doctor'])).stdout).toMatch(/^database: [1-9]\d* bytes[^]+^events: [1-9]\d* rows/m);
  }, 120_000);
});

test('a broken file and variables of other parts stop neither a backup nor a list of keys in a variable', async () => {
  const config = path.join(line.folder, 'broken.yaml');
  writeFileSync(config, 'not: [closed');
  const others = { PORT: 'x', IDENTITY_ISSUER: 'x', LOG_LEVEL: 'x', ALLOWED_ORIGINS: 'x' };
  const env = { ...others, CONFIG_FILE: config };
  expect(await line.cuebook(['backup', path.join(line.folder, 'second.backup')], { env })).toMatchObject(quiet());
  expect(await line.cuebook(['keys', 'list'], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(config),
  });
  expect(await line.cuebook(['keys', 'list'], { env: others })).toMatchObject(quiet());
  const wrongKey = { SECRETS_KEY: 'x' };
  expect(await line.cuebook(['history', 'desk', ID], { env: wrongKey })).toMatchObject(quiet());
  expect(await line.cuebook(['doctor', '--rotate-key'], { env: wrongKey })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('SECRETS_KEY is not a valid key'),
  });
}, 60_000);

test('variables that are missing in the shell of a command do not matter if a server is running', async () => {
  const config = path.join(line.dataDir, 'cuebook.yaml');
  const [docs, models, desk] = ['a-token-of-docs', 'a-key-of-models', 'a-token-of-the-desk'];
  const environment = { DOCS_TOKEN: docs, MODELS_KEY: models, DESK_TOKEN: desk };
  const server = await startServerProcess(line.dataDir, { environment });
  const playbook = line.writePlaybook({
    'short.workflow.yaml': `document: { dsl: '1.0.3', namespace: desk, name: short, version: '1.0.0' }\ndo: [ { a: { set: { n: 1 } } } ]\n`,
  });
  expect(await line.cuebook(['apply', playbook])).toMatchObject(quiet());
  expect(await line.cuebook(['run', 'desk', 'workflow/short', '--wait'])).toMatchObject(quiet());
  await server.end('SIGTERM');
  rmSync(config);
}, 120_000);
