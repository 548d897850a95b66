import { expect, test } from 'vitest';
import { CANARY_KEY } from '../../test/index.ts';
import type { HttpClient } from '../../lib/http-client/index.ts';
import { serveHttp } from '../../lib/http-client/testing.ts';
import { answerJson, chatAnswer, givenModels, steeredClock } from './models.testing.ts';

const gateway = (url: URL): Record<string, string> => ({
  MODEL_GATEWAYS: JSON.stringify([{ name: 'local', base_url: String(url), api_key: CANARY_KEY }]),
});

test('eight calls of a provider run at the same time; the ninth waits, and must try again if no slot becomes free', async () => {
  let open = 0;
  const url = await serveHttp(() => void (open += 1));
  const clock = steeredClock();
  const { ask, logged } = givenModels(gateway(url), { clock });
  const leaving = new AbortController();
  const going = Array.from({ length: 8 }, () => ask('local/slow', { signal: leaving.signal }));
  const refused = ask('local/slow');
  await expect.poll(() => open, { timeout: 10_000 }).toBe(8);
  clock.skip(10_000);
  const ninth = await refused;
  expect(open).toBe(8);
  expect(ninth).toMatchObject({
    ok: false,
    fault: { kind: 'provider_unavailable', rejection: { because: 'provider_unavailable', retryAfter: 5 } },
  });
  expect(logged).toMatchObject([{ kind: 'provider_unavailable', status: null }]);
  leaving.abort();
  expect((await Promise.all(going)).map((answer) => (answer.ok ? '' : answer.fault.kind))).toEqual(
    Array.from({ length: 8 }, () => 'cancelled'),
  );
});

test('a gateway without schema support is asked for a JSON object, with the schema in the prompt', async () => {
  const bodies: string[] = [];
  const url = await serveHttp((request, response) => {
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
    request.on('end', () => answerJson(response, 200, chatAnswer({ content: '{}' })));
  });
  const { ask } = givenModels(gateway(url));
  const answer = await ask('local/m', { schema: { type: 'object', title: 'wanted' } });
  expect(answer).toMatchObject({ ok: true, turn: { text: '{}', ignored: [] } });
  expect(JSON.parse(bodies.join(''))).toMatchObject({
    response_format: { type: 'json_object' },
    messages: [{ role: 'system', content: expect.stringContaining('"title":"wanted"') }, { role: 'user' }],
  });
});

test('provider options of a definition are put into the request body unchanged', async () => {
  const bodies: string[] = [];
  const url = await serveHttp((request, response) => {
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
    request.on('end', () => answerJson(response, 200, chatAnswer({ content: 'Yes.' })));
  });
  const entry = { name: 'local', base_url: String(url), allowed_provider_options: ['top_k', 'user'] };
  const { ask } = givenModels({ MODEL_GATEWAYS: JSON.stringify([entry]), OPENAI_API_KEY: 'a-key-of-openai' });
  // Options of another provider do no harm: an alias may lead to either.
  await ask('local/m', { providerOptions: { local: { top_k: 3, user: 'me' }, openai: { store: false } } });
  const body = JSON.parse(bodies.join('')) as object;
  expect(body).toMatchObject({ model: 'm', top_k: 3, user: 'me' });
  expect(body).not.toHaveProperty('store');
});

test('a failure that no row of the table knows names the provider alone', async () => {
  const broken = () => Promise.reject(new TypeError(`Broken at ${CANARY_KEY}.`));
  const client: HttpClient = { close: () => undefined, send: broken, open: broken };
  const { ask, logged } = givenModels(gateway(new URL('http://127.0.0.1:1')), { client });
  const answer = await ask('local/m');
  const detail = 'The model provider local failed for an unknown reason (unclassified).';
  expect(answer).toMatchObject({ ok: false, fault: { kind: 'unclassified', detail } });
  expect(answer).not.toHaveProperty('fault.rejection');
  expect(logged).toMatchObject([{ kind: 'unclassified', status: null, hint: 'Nothing was sent: TypeError.' }]);
});

test('if nothing is configured, only the log names the settings', async () => {
  const { ask, models, logged } = givenModels({});
  const answer = await ask('openai/some-model');
  const doubts = models.warningsFor({ model: 'openai/some-model' });
  for (const result of [answer, doubts]) {
    expect(JSON.stringify(result)).toMatch(/No model provider is configured.*docs\/models\.md/);
    expect(JSON.stringify(result)).not.toMatch(/_KEY|model_gateways|cuebook\.yaml/);
  }
  expect(logged).toMatchObject([{ hint: expect.stringContaining('OPENAI_API_KEY') }]);
});
