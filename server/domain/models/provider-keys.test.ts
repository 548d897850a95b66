// Keys of providers as a person gives them: a real server, and a provider on the loopback that wants to see its key.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { Refused } from '../../lib/rejection.ts';
import type { Call } from '../../operations/index.ts';
import {
  type Answer,
  filesIn,
  serveLoopback,
  startServer,
  temporaryFolder,
  type TestServer,
} from '../../test/index.ts';
import { answerJson, bodyOf, chatAnswer } from './models.testing.ts';
import type { ProviderKeys } from './provider-keys.ts';
import { providerOperations } from './provider-operations.ts';

const ORG = '/v1/orgs/local';
const KEY = 'canary-of-the-provider-0123456789';
const OTHER = 'another-canary-of-the-provider-9876';

interface ProviderKeysTestServer extends TestServer {
  /** The keys that the provider was shown. */
  seen: (string | undefined)[];
  logged: string[];
  give: (key: unknown, provider?: unknown) => Promise<Answer>;
  provider: (name?: string) => Promise<JsonObject>;
  run: () => Promise<Answer>;
  models: () => Promise<string[]>;
  again: (environment?: Record<string, string>) => Promise<ProviderKeysTestServer>;
}

function given(environment: Record<string, string> = {}): Promise<ProviderKeysTestServer> {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  return start(folder.path, environment);
}

async function start(dataDir: string, environment: Record<string, string>): Promise<ProviderKeysTestServer> {
  const seen: ProviderKeysTestServer['seen'] = [];
  const provider = await serveLoopback((request, response) => {
    void (async () => {
      await bodyOf(request);
      const key = request.headers.authorization;
      seen.push(key);
      if (key !== `Bearer ${KEY}` && key !== `Bearer ${OTHER}`) {
        return answerJson(response, 401, { error: { message: `No such key: ${key}` } });
      }
      answerJson(
        response,
        200,
        request.url === '/models' ? { data: [{ id: 'small' }] } : chatAnswer({ content: 'Hello.' }),
      );
    })();
  });
  onTestFinished(() => provider.close());
  const logged: string[] = [];
  const server = await startServer({
    dataDir,
    logged,
    environment: { GROQ_BASE_URL: provider.address, ...environment },
  });
  onTestFinished(() => server.close());
  await server.post(`${ORG}/playbooks`, { playbook: 'desk', name: 'Desk' });
  const source = '---\nmodel: groq/small\n---\nSay hello.\n';
  await server.post(`${ORG}/playbooks/desk/definitions/reasoning`, { name: 'greet', source });
  return {
    ...server,
    seen,
    logged,
    give: (key, name = 'groq') => server.put(`${ORG}/model-providers/key`, { provider: name, key }),
    async provider(name = 'groq') {
      const { providers } = (await server.get(`${ORG}/model-providers`)).body as { providers: JsonObject[] };
      return providers.find((one) => one['provider'] === name) ?? {};
    },
    run: () => server.post(`${ORG}/playbooks/desk/definitions/reasoning/greet/run`, { input: {} }),
    models: async () => (await server.get(`${ORG}/models`)).body.models.map(({ id }: { id: string }) => id),
    async again(changed = {}) {
      await server.close();
      return start(dataDir, { ...environment, ...changed });
    },
  };
}

describe('a key that is given', () => {
  test('is used immediately by runs and by the list of models, and deleted as fast', async () => {
    const world = await given();
    expect((await world.run()).body).toMatchObject({ status: 503, reason: 'unavailable' });
    expect(await world.models()).toEqual([]);

    const taken = await world.give(KEY);
    expect(taken).toMatchObject({
      status: 200,
      body: {
        provider: 'groq',
        kind: 'hosted',
        configured_by: 'studio',
        variables: ['GROQ_API_KEY'],
        key_ends_with: '6789',
        takes_key: true,
        key_is_kept: true,
      },
    });
    expect(await world.provider()).toEqual(taken.body);
    expect((await world.run()).body).toMatchObject({ status: 'succeeded', output: { text: 'Hello.' } });
    expect(await world.models()).toEqual(['groq/small']);
    expect((await world.get('/v1/guides/reasoning')).text).toContain('models of `groq`');

    expect((await world.give(OTHER)).body).toMatchObject({ key_ends_with: '9876' });
    expect((await world.run()).status).toBe(200);
    expect(world.seen.at(-1)).toBe(`Bearer ${OTHER}`);

    const forgotten = { configured_by: null, key_ends_with: null, key_is_kept: false };
    expect((await world.give(null)).body).toMatchObject(forgotten);
    expect((await world.give(null)).body).toMatchObject(forgotten);
    expect((await world.run()).status).toBe(503);
    expect(await world.models()).toEqual([]);
  });

  test('survives a restart; without the data key it is not used, and stays', async () => {
    const first = await given();
    await first.give(KEY);
    const second = await first.again();
    expect((await second.run()).status).toBe(200);
    const file = path.join(second.dataDir, 'secrets.key');
    const dataKey = readFileSync(file, 'utf8');
    writeFileSync(file, `${Buffer.alloc(32, 7).toString('base64')}\n`);
    const third = await second.again();
    expect(await third.provider()).toMatchObject({
      configured_by: null,
      key_is_kept: true,
      key_unusable: expect.stringContaining('secrets.key'),
    });
    expect((await third.run()).status).toBe(503);
    // The key comes back while the server runs: looking is enough.
    writeFileSync(file, dataKey);
    expect(await third.provider()).toMatchObject({ configured_by: 'studio', key_ends_with: '6789' });
    expect((await third.run()).status).toBe(200);
  });

  test('is stored only sealed: not in answers, the log, the events or a file', async () => {
    const world = await given();
    const answers = [await world.give(KEY), await world.get(`${ORG}/model-providers`), await world.run()];
    await world.give('wrong-canary-of-the-provider');
    answers.push(await world.run());
    await world.give(`${KEY} `);
    answers.push(
      await world.get(`${ORG}/models`),
      await world.get(`${ORG}/playbooks/desk/events?limit=100`),
      await world.send('PUT', `${ORG}/model-providers/key`, {
        headers: { 'content-type': 'application/json' },
        body: `{"provider":"groq","key":"${KEY}`,
      }),
    );
    expect(world.logged.join('\n')).toContain('[redacted]');
    for (const text of [...answers.map((answer) => answer.text), ...world.logged]) expect(text).not.toContain('canary');
    for (const file of filesIn(world.dataDir)) {
      expect(readFileSync(file).includes('canary'), file).toBe(false);
    }
  });

  test('is not taken, and nothing changed, without a data key that can be read', async () => {
    const world = await given();
    const file = path.join(world.dataDir, 'secrets.key');
    writeFileSync(file, `${Buffer.alloc(32).toString('base64')}\n`);
    chmodSync(file, 0o644);
    const refused = await world.give(KEY);
    expect(refused).toMatchObject({ status: 503, body: { reason: 'unavailable' } });
    expect(refused.body.detail).toContain('is accessible to other users');
    expect(await world.provider()).toMatchObject({ configured_by: null, key_is_kept: false });
  });

  test('may be named by what is allowed, at the next start too', async () => {
    const allowed = { ALLOWED_MODELS: '["groq/*"]' };
    await expect(given(allowed)).rejects.toThrow('which no configured provider or alias has');
    const first = await given();
    await first.give(KEY);
    const second = await first.again(allowed);
    expect(await second.models()).toEqual(['groq/small']);
  });
});

describe('a variable of the environment', () => {
  test('wins: beside it no key is taken', async () => {
    const world = await given({ GROQ_API_KEY: OTHER });
    const refused = await world.give(KEY);
    expect(refused).toMatchObject({ status: 409, body: { reason: 'conflict' } });
    expect(refused.body.detail).toContain('GROQ_API_KEY');
    expect(await world.provider()).toMatchObject({
      configured_by: 'environment',
      key_ends_with: '9876',
      takes_key: false,
      key_is_kept: false,
    });
  });

  test('wins over a key that was kept before, which can still be forgotten', async () => {
    const first = await given();
    await first.give(KEY);
    const second = await first.again({ GROQ_API_KEY: OTHER });
    await second.run();
    expect(second.seen).toEqual([`Bearer ${OTHER}`]);
    expect(await second.provider()).toMatchObject({ configured_by: 'environment', key_is_kept: true });
    expect((await second.give(null)).body).toMatchObject({ configured_by: 'environment', key_is_kept: false });
  });
});

test('what is no key is refused at its field, without quoting it', async () => {
  const { give } = await given();
  const cases: [unknown, string][] = [
    ['', 'is empty'],
    ['k'.repeat(4097), 'more than 4096 characters'],
    ['canary\n', 'a line break'],
    ['can\u0000ary', 'a character that keys do not have'],
    ['can ary', 'a space'],
    ['canary1', 'fewer than 8 characters'],
    [5, 'must be a string'],
    [undefined, 'is missing the required field'],
  ];
  for (const [key, words] of cases) {
    const refused = await give(key);
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/key' }] } });
    expect(refused.body.errors[0].detail).toContain(words);
    expect(refused.text).not.toContain('canary');
  }
});

test('a provider that takes no key is refused at its field, with what to do instead', async () => {
  const { give } = await given({ MODEL_GATEWAYS: '[{"name":"local","base_url":"http://127.0.0.1:9/v1"}]' });
  const cases: [unknown, string][] = [
    ['nobody', 'set here for openai, anthropic'],
    ['azure', 'AZURE_API_KEY'],
    ['local', 'model_gateways'],
    [7, 'must be a string'],
  ];
  for (const [provider, words] of cases) {
    const refused = await give(KEY, provider);
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/provider' }] } });
    expect(refused.body.errors[0].detail).toContain(words);
  }
});

test('cloud providers and gateways are listed with who set them up', async () => {
  const world = await given({
    AZURE_API_KEY: 'a-key-of-azure',
    MODEL_GATEWAYS: '[{"name":"local","base_url":"http://127.0.0.1:9/v1","api_key":"a-key-of-local"}]',
  });
  expect(await world.provider('azure')).toMatchObject({
    kind: 'cloud',
    configured_by: 'environment',
    key_ends_with: null,
    takes_key: false,
  });
  expect(await world.provider('local')).toMatchObject({ kind: 'gateway', configured_by: 'configuration' });
  expect(await world.provider('google-vertex')).toMatchObject({
    configured_by: null,
    variables: ['GOOGLE_VERTEX_API_KEY', 'GOOGLE_VERTEX_PROJECT'],
  });
});

test('on a published server both operations are forbidden, and nothing is asked of the keys', async () => {
  const operations = providerOperations({} as ProviderKeys, { failureOf: () => undefined }, 'published');
  expect(operations.map(({ name, mcp, addition }) => [name, mcp, addition])).toEqual([
    ['list_model_providers', false, true],
    ['set_provider_key', false, true],
  ]);
  for (const operation of operations) {
    if (operation.upload !== undefined) throw new Error('It is an upload.');
    await expect(operation.handle({} as Call, { provider: 'groq', key: KEY })).rejects.toThrow(Refused);
    // Before wrong fields are reported.
    await expect(operation.precheck?.({} as Call, {}, {})).rejects.toMatchObject({
      rejection: { reason: 'forbidden' },
    });
  }
});
