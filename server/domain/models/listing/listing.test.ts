import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../shared/json.ts';
import { createFakeClock } from '../../../lib/clock.ts';
import { createHttpClient } from '../../../lib/http-client/index.ts';
import { serveHttp } from '../../../lib/http-client/testing.ts';
import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { CANARY_KEY } from '../../../test/index.ts';
import { answerJson, givenModels, type ModelsWorld } from '../models.testing.ts';

interface Provider {
  address: string;
  urls: string[];
  headers: JsonObject[];
  answer: (url: URL) => [status: number, body: unknown];
}

async function serveProvider(answer: Provider['answer']): Promise<Provider> {
  const provider: Provider = { address: '', urls: [], headers: [], answer };
  const url = await serveHttp((request, response) => {
    provider.urls.push(request.url ?? '');
    provider.headers.push(request.headers as JsonObject);
    answerJson(response, ...provider.answer(new URL(request.url ?? '', 'http://127.0.0.1')));
  });
  provider.address = String(url).replace(/\/$/, '');
  return provider;
}

const KEY = CANARY_KEY;

function withGateway(provider: Provider, more: Record<string, string> = {}, gateway: JsonObject = {}): ModelsWorld {
  const entry = { name: 'local', base_url: provider.address, api_key_env: 'KEY', ...gateway };
  return givenModels({ MODEL_GATEWAYS: JSON.stringify([entry]), KEY, ...more });
}

const ALIASED = { id: 'team/fast', provider: 'team', model: 'fast', alias: true };

const idsOf = async ({ models }: ModelsWorld, only?: string): Promise<string[]> =>
  (await models.list(only)).models.map(({ id }) => id);
const listing = (data: Json[]): [number, Json] => [200, { object: 'list', data }];

describe('given a gateway', () => {
  test('it is asked with its key, headers and parameters, when its list is first needed, and then not for a while', async () => {
    const provider = await serveProvider(() => listing([{ id: 'a' }]));
    const world = withGateway(provider, {}, { headers: { 'x-team': 't' }, query_params: { version: '2' } });
    expect(provider.urls).toEqual([]);
    await Promise.all([idsOf(world), idsOf(world)]);
    expect(await idsOf(world)).toEqual(['local/a']);
    expect(provider.urls).toEqual(['/models?version=2']);
    expect(provider.headers[0]).toMatchObject({ authorization: `Bearer ${KEY}`, 'x-team': 't' });
  });

  test('a large list is read by a worker, which takes out what holds the key', async () => {
    const models = Array.from({ length: 2000 }, (_, index) => ({ id: `model-${index}`, name: `The model ${index}` }));
    const provider = await serveProvider(() => listing([{ id: `of-${KEY}` }, ...models, ...models]));
    const ids = await idsOf(withGateway(provider));
    expect(ids.toSorted()).toEqual(models.map(({ id }) => `local/${id}`).toSorted());
  });

  test('a list of more than 5,000 models is not read, and the log says so', async () => {
    const count = { now: 5000 };
    const provider = await serveProvider(() =>
      listing(Array.from({ length: count.now }, (_, index) => ({ id: `model-${index}` }))),
    );
    expect(await idsOf(withGateway(provider))).toHaveLength(5000);
    count.now = 5001;
    const world = withGateway(provider, { DECLARED_MODELS: '{"local":["declared"]}' });
    expect(await world.models.list(undefined)).toMatchObject({
      models: [{ id: 'local/declared' }],
      catalog_status: 'partial',
    });
    expect(world.logged).toMatchObject([{ hint: 'Its list has more than 5000 models.' }]);
    expect(world.models.failureOf('local')).toContain('Its list has more than 5000 models.');
  });

  test('entries that name no model are dropped, and details of the wrong type are left out', async () => {
    const arn = 'arn:aws:bedrock:eu-west-1:4711:inference-profile/x';
    const provider = await serveProvider(() =>
      listing([
        { id: 'plain', type: 'language', name: 'Plain', context_window: 8, max_tokens: 4, owned_by: 'me', pricing: {} },
        { id: 'plain-2025-01-01' },
        { id: 'picture', type: 'image' },
        { id: 'odd', type: 7, name: 'x'.repeat(101), context_window: '8', max_output_tokens: -1 },
        { id: 'two-lines', name: 'a\nb' },
        { id: '' },
        { id: 'a b' },
        { id: 'a\u0007' },
        { id: 'a*' },
        { id: 'x'.repeat(257) },
        { id: arn },
        { id: 7 },
        { name: 'none' },
        'text',
      ]),
    );
    const { models, narrowed, catalog_status: status } = await withGateway(provider).models.list(undefined);
    expect({ narrowed, status }).toEqual({ narrowed: false, status: 'complete' });
    const own = { provider: 'local' };
    expect(models).toEqual([
      { ...own, id: 'local/odd', model: 'odd' },
      { ...own, id: 'local/plain', model: 'plain', name: 'Plain', context_window: 8, max_output_tokens: 4 },
      { ...own, id: 'local/plain-2025-01-01', model: 'plain-2025-01-01' },
      { ...own, id: 'local/two-lines', model: 'two-lines' },
    ]);
  });

  test('an entry whose id holds something that the gateway was sent as a secret is left out, and such a name is', async () => {
    const [header, parameter] = ['canary/of a header 4712', 'canary-of-a-query-4713'];
    const provider = await serveProvider(() =>
      listing([
        { id: 'plain', name: 'Plain' },
        { id: `of-${KEY}` },
        { id: encodeURIComponent(header) },
        { id: `x-${Buffer.from(parameter).toString('base64url')}` },
        { id: 'named', name: `For ${header}`, context_window: 8 },
      ]),
    );
    const secrets = { headers: { 'x-canary': header }, query_params: { canary: parameter } };
    const world = withGateway(provider, { MODEL_ALIASES: '{"team/fast":"local/named"}' }, secrets);
    expect((await world.models.list(undefined)).models).toEqual([
      { id: 'local/named', provider: 'local', model: 'named', context_window: 8 },
      { id: 'local/plain', provider: 'local', model: 'plain', name: 'Plain' },
      { ...ALIASED, resolved_to: 'local/named', context_window: 8 },
    ]);
  });

  test('one that cannot be read is left alone for a minute, and what it listed before is still shown', async () => {
    const clock = createFakeClock();
    const provider = await serveProvider(() => listing([{ id: 'before' }]));
    const entry = { name: 'local', base_url: provider.address, api_key_env: 'KEY' };
    const world = givenModels({ MODEL_GATEWAYS: JSON.stringify([entry]), KEY }, { clock });
    expect(await idsOf(world)).toEqual(['local/before']);
    clock.advance(11 * 60_000);
    provider.answer = () => [500, { error: { message: `Not with ${KEY}.` } }];
    expect(await world.models.list(undefined)).toMatchObject({
      models: [{ id: 'local/before' }],
      catalog_status: 'partial',
    });
    clock.advance(59_000);
    expect((await world.models.list(undefined)).catalog_status).toBe('partial');
    expect(provider.urls).toHaveLength(2);
    expect(world.logged).toMatchObject([
      { provider: 'local', model: null, status: 500, run_id: null, provider_message: 'Not with [redacted].' },
    ]);
    clock.advance(1000);
    provider.answer = () => listing([{ id: 'after' }]);
    expect(await world.models.list(undefined)).toMatchObject({
      models: [{ id: 'local/after' }],
      catalog_status: 'complete',
    });
  });

  test.each<[string, [number, unknown]]>([
    ['no JSON', [200, 'nothing']],
    ['no list', [200, { data: 'a' }]],
    ['an error', [404, {}]],
    ['more than 8 MiB', [200, { data: [{ id: 'x'.repeat(9 * 1024 * 1024) }] }]],
  ])('one that answers %s is listed by what is declared', async (_what, answer) => {
    const provider = await serveProvider(() => answer);
    const world = withGateway(provider, { DECLARED_MODELS: '{"local":["declared"]}' });
    expect(await world.models.list(undefined)).toMatchObject({
      models: [{ id: 'local/declared' }],
      catalog_status: 'partial',
    });
  });

  test('why one could not be read is known in words, the provider’s own only where they may be shown', async () => {
    const provider = await serveProvider(() => [401, { error: { message: `Bad key ${KEY}.`, code: 'bad_key' } }]);
    const entry = { base_url: provider.address, api_key_env: 'KEY' };
    const gateways = [
      { name: 'silent', ...entry },
      { name: 'open', ...entry, expose_provider_messages: true },
      { name: 'absent', base_url: 'http://127.0.0.1:9/v1' },
    ];
    const { models } = givenModels({ MODEL_GATEWAYS: JSON.stringify(gateways), KEY });
    expect(models.failureOf('silent')).toBeUndefined();
    await models.list(undefined);
    expect(models.failureOf('silent')).toBe('The model provider silent returned 401 (Unauthorized, code bad_key).');
    expect(models.failureOf('open')).toBe(
      'The model provider open returned 401 (Unauthorized, code bad_key). The provider said: Bad key [redacted].',
    );
    expect(models.failureOf('absent')).toBe('The server refused the connection.');
  });

  test('one that gives no page within ten seconds could not be read', async () => {
    const asked = Promise.withResolvers<void>();
    const url = await serveHttp(() => asked.resolve());
    const clock = createFakeClock();
    const entry = { name: 'local', base_url: url.origin };
    const environment = { MODEL_GATEWAYS: JSON.stringify([entry]), DECLARED_MODELS: '{"local":["declared"]}' };
    const { models } = givenModels(environment, { clock, client: createHttpClient({ clock }) });
    let isRead = false;
    const list = models.list(undefined).finally(() => {
      isRead = true;
    });
    await asked.promise;
    clock.advance(9_000);
    await yieldToEventLoop();
    expect(isRead).toBe(false);
    clock.advance(1_000);
    expect(await list).toMatchObject({ models: [{ id: 'local/declared' }], catalog_status: 'partial' });
  });

  test('the provider that is named is asked, and no other', async () => {
    const provider = await serveProvider(() => listing([{ id: 'a' }]));
    const world = withGateway(provider, { AZURE_API_KEY: 'key-of-azure' });
    expect(await idsOf(world, 'azure')).toEqual(['azure/*']);
    expect(await idsOf(world, 'nobody')).toEqual([]);
    expect(provider.urls).toEqual([]);
    expect(await idsOf(world, 'local')).toEqual(['local/a']);
  });
});

describe('given providers that list in pages', () => {
  test.each<[string, Record<string, string>, string, (page: number) => Json, string]>([
    [
      'anthropic',
      { ANTHROPIC_API_KEY: KEY },
      'ANTHROPIC_BASE_URL',
      (page) => ({ data: [{ id: `m${page}` }], has_more: page < 3, last_id: `m${page}` }),
      '/models?limit=1000&after_id=m2',
    ],
    [
      'google',
      { GOOGLE_GENERATIVE_AI_API_KEY: KEY },
      'GOOGLE_BASE_URL',
      (page) => ({
        models: [{ name: `models/m${page}` }, { name: 'models/embed', supportedGenerationMethods: ['embedContent'] }],
        ...(page < 3 ? { nextPageToken: `p${page}` } : {}),
      }),
      '/models?pageSize=1000&pageToken=p2',
    ],
    [
      'cohere',
      { COHERE_API_KEY: KEY },
      'COHERE_BASE_URL',
      (page) => ({ models: [{ name: `m${page}` }], ...(page < 3 ? { next_page_token: `p${page}` } : {}) }),
      '/models?endpoint=chat&page_size=1000&page_token=p2',
    ],
  ])('%s is read to its end', async (prefix, environment, variable, pageOf, last) => {
    let page = 0;
    const provider = await serveProvider(() => [200, pageOf((page += 1))]);
    const world = givenModels({ ...environment, [variable]: provider.address });
    expect(await idsOf(world)).toEqual([1, 2, 3].map((number) => `${prefix}/m${number}`));
    expect(provider.urls.at(-1)).toBe(last);
    expect(JSON.stringify(provider.headers[2])).toContain(KEY);
  });

  test('a list of more than ten pages is not read', async () => {
    const provider = await serveProvider(() => [200, { data: [{ id: 'a' }], has_more: true, last_id: 'a' }]);
    const world = givenModels({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: provider.address });
    expect(await world.models.list(undefined)).toEqual({ models: [], narrowed: false, catalog_status: 'partial' });
    expect(provider.urls).toHaveLength(10);
  });
});

test('what lists its own models may not show its key either', async () => {
  const provider = await serveProvider(() => listing([{ id: 'a' }, { id: `b-${KEY}` }]));
  expect(await idsOf(givenModels({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: provider.address }))).toEqual(['openai/a']);
});

describe('given aliases and an allow list', () => {
  const ALIASES = {
    'team/fast': 'local/a',
    'team/arn': 'amazon-bedrock/arn:aws:bedrock:eu-west-1:4711:x',
    'team/away': 'nowhere/x',
    'wide/*': 'amazon-bedrock/*',
    'local/b': 'local/c',
  };
  const world = async (allowed?: string[]): Promise<ModelsWorld> =>
    withGateway(await serveProvider(() => listing([{ id: 'a', name: 'A' }, { id: 'b' }, { id: 'c' }])), {
      AWS_BEARER_TOKEN_BEDROCK: 'a-token',
      MODEL_ALIASES: JSON.stringify(ALIASES),
      ...(allowed === undefined ? {} : { ALLOWED_MODELS: JSON.stringify(allowed) }),
    });

  test('an alias is listed under its own name, unless its provider is not configured', async () => {
    const { models } = await (await world()).models.list(undefined);
    expect(models.map(({ id }) => id)).toEqual([
      'amazon-bedrock/*',
      'local/a',
      'local/b',
      'local/c',
      'team/arn',
      'team/fast',
      'wide/*',
    ]);
    const entry = (id: string) => models.find((one) => one.id === id);
    expect(entry('team/fast')).toEqual({
      id: 'team/fast',
      provider: 'team',
      model: 'fast',
      name: 'A',
      alias: true,
      resolved_to: 'local/a',
    });
    expect(entry('local/b')).toMatchObject({ alias: true, resolved_to: 'local/c' });
    expect(entry('team/arn')).toEqual({ id: 'team/arn', provider: 'team', model: 'arn', alias: true });
    expect(JSON.stringify(models)).not.toMatch(/4711|eu-west|nowhere|127\.0\.0\.1/);
  });

  test.each<[string[], string[]]>([
    [['local/a'], ['local/a', 'team/fast']],
    [['team/fast'], ['team/fast']],
    [['local/*'], ['local/a', 'local/b', 'local/c', 'team/fast']],
    [['wide/a*'], []],
    [['wide/*'], ['wide/*']],
    [['amazon-bedrock/a*'], ['team/arn']],
    [['amazon-bedrock/*'], ['amazon-bedrock/*', 'team/arn', 'wide/*']],
  ])('%j lists %j', async (allowed, ids) => {
    const { models, narrowed } = await (await world(allowed)).models.list(undefined);
    expect({ narrowed, ids: models.map(({ id }) => id) }).toEqual({ narrowed: true, ids });
  });
});
