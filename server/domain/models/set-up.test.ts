// A person sets up models: a server that speaks the protocol of local ones is found, added and asked.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { serveLoopback, startServer, temporaryFolder, type TestServer } from '../../test/index.ts';
import { answerJson, chatAnswer } from './models.testing.ts';

const folder = temporaryFolder();
const file = path.join(folder.path, 'cuebook.yaml');
let local: Awaited<ReturnType<typeof serveLoopback>>;
let server: TestServer;
const READY: [status: number, body: JsonObject] = [200, chatAnswer({ content: ' ready ' })];
let answer = READY;
beforeAll(async () => {
  local = await serveLoopback((request, response) => {
    request.resume();
    if (request.url === '/v1/models') answerJson(response, 200, { object: 'list', data: [{ id: 'llama3.2' }] });
    else if (request.url === '/api/version') answerJson(response, 200, { version: '0.12.0' });
    else if (request.url === '/v1/chat/completions') answerJson(response, ...answer);
    else answerJson(response, 404, { error: 'not found' });
  });
  writeFileSync(file, `# of the team\nlocal_model_servers: ["${local.address}/v1", "http://127.0.0.1:9/v1"]\n`);
  server = await startServer({ environment: { CONFIG_FILE: file } });
});
afterAll(async () => {
  await server.close();
  await local.close();
  folder.remove();
});

const AT = '/v1/orgs/local/model-setup';
const base = (): string => `${local.address}/v1`;

test('a server is found, added with an alias and tested, and the file keeps its comments', async () => {
  const found = { base_url: base(), product: 'Ollama', models: ['llama3.2'] };
  expect((await server.get(`${AT}/local`)).body).toEqual({ servers: [found] });
  const gateway = { name: 'ollama', base_url: base(), structured_outputs: true, include_usage: true };
  const added = await server.post(AT, { gateway, aliases: { 'openai/gpt-5-mini': 'ollama/llama3.2' } });
  expect(added).toMatchObject({
    status: 200,
    body: {
      gateways: [{ name: 'ollama', base_url: base(), has_key: false }],
      aliases: { 'openai/gpt-5-mini': 'ollama/llama3.2' },
      allowed: null,
    },
  });
  expect(readFileSync(file, 'utf8')).toContain('# of the team');
  expect(readFileSync(file, 'utf8')).toContain('include_usage: true');
  expect((await server.get(`${AT}/local`)).body.servers).toEqual([{ ...found, gateway: 'ollama' }]);
  expect((await server.post(`${AT}/test`, { model: 'openai/gpt-5-mini' })).body).toMatchObject({
    ok: true,
    text: 'ready',
    resolved_to: 'ollama/llama3.2',
    tokens: { input: 10, output: 5 },
  });
});

test.each<[string, number, JsonObject, string, RegExp]>([
  [
    'a model that is not there',
    404,
    { error: { message: "model 'llama9' not found", type: 'not_found_error' } },
    'definition_invalid',
    /404 \(Not Found, code not_found_error\): it does not know the model ollama\/llama3\.2; name a model/,
  ],
  [
    'a context that is too small',
    400,
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size',
        type: 'exceed_context_size_error',
      },
    },
    'request_too_long',
    /the request is too long for the model; give the model a larger context\.$/,
  ],
  ['no credits', 402, { error: { message: 'Insufficient credits' } }, 'definition_invalid', /has no credits left/],
  ['anything else', 400, { error: { message: 'Odd.' } }, 'definition_invalid', /it does not accept the request\.$/],
])('a test of %s says so, and nothing of a definition', async (_what, status, body, kind, detail) => {
  answer = [status, body];
  const tested = (await server.post(`${AT}/test`, { model: 'ollama/llama3.2' })).body;
  answer = READY;
  expect(tested).toMatchObject({ ok: false, kind, detail: expect.stringMatching(detail) });
  expect(tested.detail).not.toContain('definition');
});

test('what is not valid is refused with its field, and nothing is written', async () => {
  const before = readFileSync(file, 'utf8');
  expect(await server.post(AT, { gateway: { name: 'bad', base_url: 'ftp://x' } })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/gateway/base_url', detail: expect.stringMatching(/^The base URL is not valid;/) }] },
  });
  expect(await server.post(AT, { gateway: { name: 'openai', base_url: 'http://127.0.0.1:9/v1' } })).toMatchObject({
    status: 422,
    body: {
      errors: [
        {
          pointer: '/gateway/name',
          detail: 'The name is "openai", the name of a built-in provider; it must be another name.',
        },
      ],
    },
  });
  expect(await server.post(AT, { allowed: ['unknown/*'] })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/allowed' }] },
  });
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('a model that is not there says why', async () => {
  expect((await server.post(`${AT}/test`, { model: 'nobody/x' })).body).toMatchObject({
    ok: false,
    kind: 'provider_not_configured',
  });
});

test('the allow list is set and removed', async () => {
  expect((await server.post(AT, { allowed: ['ollama/*'] })).body.allowed).toEqual(['ollama/*']);
  expect((await server.post(`${AT}/test`, { model: 'ollama/llama3.2' })).body.ok).toBe(true);
  expect((await server.post(AT, { allowed: null })).body.allowed).toBeNull();
  expect(readFileSync(file, 'utf8')).not.toContain('allowed_models');
});

test('a variable that sets the same is not overruled', async () => {
  const other = await startServer({ environment: { MODEL_ALIASES: '{}' } });
  try {
    expect(await other.post(AT, { aliases: { 'a/b': 'c/d' } })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('MODEL_ALIASES') },
    });
  } finally {
    await other.close();
  }
});
