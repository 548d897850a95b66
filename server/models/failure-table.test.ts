// The contract's table of model failures, each row met by a server that asks real providers on the loopback: what the
// caller sees, what the operator's log says, what the metric counts. Afterwards secrets, prompts and answers are looked
// for in everything that was left behind.
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../shared/json.ts';
import {
  type Answer,
  CANARY_KEY,
  CANARY_PROMPT,
  type LoopbackServer,
  selfSigned,
  serveLoopback,
  startServer,
} from '../testing/index.ts';
import { answerJson, bodyOf, chatAnswer, steeredClock } from './models.testing.ts';

const KEY = CANARY_KEY;
const HEADER = 'canary of a header 4712';
const QUERY = 'canary-of-a-query-4713';
const SECRETS = [KEY, HEADER, QUERY, encodeURIComponent(HEADER)];
/** Comes about in the rendered prompt alone: its halves stand in the input. */
const PROMPT = CANARY_PROMPT;
const ANSWER = 'canary-of-an-answer-5678';

const SAYS_ALL = `You sent ${KEY}, ${HEADER}, ${QUERY}: Say ${PROMPT} aloud, would you?`;
const fails = (status: number, error: JsonObject, headers: Record<string, string> = {}) =>
  answering(status, { error: { message: SAYS_ALL, ...error } }, { 'retry-after-ms': '1', ...headers });

type Provider = (request: IncomingMessage, response: ServerResponse) => void;

function answering(status: number, body: Json, headers: Record<string, string> = {}): Provider {
  return (_request, response) => answerJson(response, status, body, headers);
}

interface Row {
  /** What the row's own gateway does; undefined: there is none of the name. */
  provider?: Provider;
  /** Of the gateway's entry. */
  gateway?: JsonObject;
  model?: string;
  /** Front matter beside model and input. */
  front?: string;
  status: number;
  /** Of the problem. */
  body: JsonObject;
  detail: RegExp;
  /** How often the provider was asked. */
  asked: number;
  logged: { status: number | null; kind: string; said?: unknown };
}

const CERTIFICATE = selfSigned();
const UNTRUSTED = 'a certificate that is not trusted';

const SILENT = 'no answer in time';

const UNAVAILABLE = { reason: 'unavailable' };
const UNWORKABLE = { reason: 'conflict', kind: 'unworkable' };
const JSON_OUTPUT =
  'output: { type: object, required: [team], additionalProperties: false, properties: { team: { enum: [a, b] }, c: { type: number }, d: { type: number }, e: { type: number }, f: { type: number }, g: { type: number } } }';

const ROWS: Readonly<Record<string, Row>> = {
  'a model that is not allowed': {
    model: 'locked/secret-model',
    provider: answering(200, chatAnswer({ content: 'Never.' })),
    status: 503,
    body: { ...UNAVAILABLE, kind: 'model_not_offered', because: 'model_not_allowed' },
    detail: /^The model locked\/secret-model is not one that this server allows/,
    asked: 0,
    logged: { status: null, kind: 'model_not_allowed' },
  },
  'a prefix of no provider': {
    model: 'nobody/some-model',
    status: 503,
    body: { ...UNAVAILABLE, kind: 'model_not_offered', because: 'provider_not_configured' },
    detail: /configured are absent, amazon-bedrock, .*, and the aliases team\/fast\.$/,
    asked: 0,
    logged: { status: null, kind: 'provider_not_configured' },
  },
  'a setting that the SDK needs': {
    model: 'amazon-bedrock/some-model',
    status: 503,
    body: { ...UNAVAILABLE, kind: 'model_not_offered', because: 'provider_not_configured' },
    detail: /whoever operates this server must see to it/,
    asked: 0,
    logged: { status: null, kind: 'provider_not_configured' },
  },
  [UNTRUSTED]: {
    model: 'untrusted/some-model',
    status: 503,
    body: { ...UNAVAILABLE, kind: 'model_not_offered', because: 'provider_not_configured' },
    detail: /untrusted cannot be asked as it is set up; whoever operates this server must see to it/,
    asked: 0,
    logged: { status: null, kind: 'provider_not_configured' },
  },
  'no credential of a cloud': {
    model: 'google-vertex/some-model',
    status: 503,
    body: { ...UNAVAILABLE, because: 'credentials_rejected' },
    detail: /^There is no credential for the model provider google-vertex/,
    asked: 0,
    logged: { status: null, kind: 'credentials_rejected' },
  },
  '401': {
    provider: fails(401, { code: 'invalid_api_key' }),
    status: 503,
    body: { ...UNAVAILABLE, because: 'credentials_rejected' },
    detail: /answered 401 \(Unauthorized, code invalid_api_key\)/,
    asked: 1,
    logged: { status: 401, kind: 'credentials_rejected' },
  },
  '403': {
    provider: fails(403, {}),
    status: 503,
    body: { ...UNAVAILABLE, because: 'credentials_rejected' },
    detail: /answered 403 \(Forbidden\)/,
    asked: 1,
    logged: { status: 403, kind: 'credentials_rejected' },
  },
  '429 that says when': {
    provider: fails(429, {}, { 'retry-after-ms': '', 'retry-after': '75' }),
    status: 503,
    body: { ...UNAVAILABLE, because: 'rate_limited' },
    detail: /Wait 75 seconds, then try again\.$/,
    asked: 3,
    logged: { status: 429, kind: 'rate_limited' },
  },
  '429 that does not say when': {
    provider: fails(429, {}, { 'retry-after-ms': '' }),
    status: 503,
    body: { ...UNAVAILABLE, because: 'rate_limited' },
    detail: /Try again later\.$/,
    asked: 3,
    logged: { status: 429, kind: 'rate_limited' },
  },
  '408': {
    provider: fails(408, {}),
    status: 503,
    body: { ...UNAVAILABLE, because: 'provider_unavailable' },
    detail: /answered 408 \(Request Timeout\); try again later/,
    asked: 3,
    logged: { status: 408, kind: 'provider_unavailable' },
  },
  '409': {
    provider: fails(409, {}),
    status: 503,
    body: { ...UNAVAILABLE, because: 'provider_unavailable' },
    detail: /answered 409 \(Conflict\); try again later/,
    asked: 3,
    logged: { status: 409, kind: 'provider_unavailable' },
  },
  '500': {
    provider: fails(500, {}),
    status: 503,
    body: { ...UNAVAILABLE, because: 'provider_unavailable' },
    detail: /answered 500 \(Internal Server Error\); try again later/,
    asked: 3,
    logged: { status: 500, kind: 'provider_unavailable' },
  },
  '529': {
    provider: fails(529, { type: 'overloaded_error' }),
    status: 503,
    body: { ...UNAVAILABLE, because: 'provider_unavailable' },
    detail: /answered 529 \(code overloaded_error\); try again later/,
    asked: 3,
    logged: { status: 529, kind: 'provider_unavailable' },
  },
  'a connection that is refused': {
    model: 'absent/some-model',
    status: 503,
    body: { ...UNAVAILABLE, because: 'provider_unavailable' },
    detail: /^The model provider absent could not be reached/,
    asked: 0,
    logged: { status: null, kind: 'provider_unavailable' },
  },
  'a connection that is dropped': {
    provider: (request) => void request.socket.destroy(),
    status: 503,
    body: { ...UNAVAILABLE, because: 'provider_unavailable' },
    detail: /could not be reached, or broke off; try again later/,
    asked: 3,
    logged: { status: null, kind: 'provider_unavailable' },
  },
  'a 2xx that cannot be read': {
    provider: answering(200, `<html>${ANSWER} ${PROMPT}`),
    status: 503,
    body: { ...UNAVAILABLE, because: 'provider_unavailable' },
    detail: /gave an answer that cannot be read; try again later/,
    asked: 1,
    logged: { status: 200, kind: 'provider_unavailable' },
  },
  [SILENT]: {
    provider: () => undefined,
    status: 503,
    body: { ...UNAVAILABLE, because: 'timed_out' },
    detail: /gave no answer in time; try again later/,
    asked: 1,
    logged: { status: null, kind: 'timed_out' },
  },
  'an answer that is not JSON': {
    provider: answering(200, chatAnswer({ content: `Well: ${ANSWER}` })),
    front: JSON_OUTPUT,
    status: 503,
    body: { ...UNAVAILABLE, because: 'output_invalid' },
    detail: /^The answer of the model is not JSON; try again\.$/,
    asked: 1,
    logged: { status: 200, kind: 'output_invalid' },
  },
  'an answer that does not fit': {
    provider: answering(
      200,
      chatAnswer({
        content: JSON.stringify({ [ANSWER]: 1, team: ANSWER, c: ANSWER, d: 'x', e: 'x', f: 'x', g: 'x' }),
      }),
    ),
    front: JSON_OUTPUT,
    status: 503,
    body: { ...UNAVAILABLE, because: 'output_invalid' },
    detail: /^The answer of the model does not fit `output` in several places; try again\.$/,
    asked: 1,
    logged: { status: 200, kind: 'output_invalid' },
  },
  'a JSON answer that was cut': {
    provider: answering(200, chatAnswer({ content: `{"team": "${ANSWER}` }, { finish_reason: 'length' })),
    front: JSON_OUTPUT,
    status: 409,
    body: UNWORKABLE,
    detail: /cut at 1024 tokens.*raise `config\.max_output_tokens`/,
    asked: 1,
    logged: { status: 200, kind: 'output_invalid' },
  },
  '400': {
    provider: fails(400, { code: `bad_parameter_${'x'.repeat(100)}` }),
    status: 409,
    body: UNWORKABLE,
    detail: /answered 400 \(Bad Request, code bad_parameter_x{50}\): it does not take what the definition asks for/,
    asked: 1,
    logged: { status: 400, kind: 'definition_invalid' },
  },
  '404': {
    provider: fails(404, { code: 'model_not_found' }),
    status: 409,
    body: UNWORKABLE,
    detail: /answered 404 \(Not Found, code model_not_found\)/,
    asked: 1,
    logged: { status: 404, kind: 'definition_invalid' },
  },
  '422': {
    provider: fails(422, {}),
    status: 409,
    body: UNWORKABLE,
    detail: /answered 422 \(Unprocessable Entity\)/,
    asked: 1,
    logged: { status: 422, kind: 'definition_invalid' },
  },
  'a provider option that is not allowed': {
    provider: answering(200, chatAnswer({ content: 'Never.' })),
    gateway: { allowed_provider_options: ['top_k'] },
    front: 'provider_options: { GATEWAY: { top_k: 3, logprobs: true } }',
    status: 409,
    body: UNWORKABLE,
    detail: /does not let a definition set `logprobs`/,
    asked: 0,
    logged: { status: null, kind: 'definition_invalid' },
  },
  'options that no provider reads': {
    provider: answering(200, chatAnswer({ content: 'Never.' })),
    front: 'provider_options: { opnai: { user: x } }',
    status: 409,
    body: UNWORKABLE,
    detail: /^No provider reads `provider_options\.opnai`/,
    asked: 0,
    logged: { status: null, kind: 'definition_invalid' },
  },
  '413': {
    provider: fails(413, {}),
    status: 409,
    body: UNWORKABLE,
    detail:
      /answered 413 \(Payload Too Large\): the request is too long for the model; shorten the prompt or the input/,
    asked: 1,
    logged: { status: 413, kind: 'request_too_long' },
  },
  'a context that is too long': {
    provider: fails(400, { code: 'context_length_exceeded' }),
    status: 409,
    body: UNWORKABLE,
    detail: /the request is too long for the model/,
    asked: 1,
    logged: { status: 400, kind: 'request_too_long' },
  },
  'a request that is too large by its type': {
    provider: fails(400, { type: 'request_too_large' }),
    status: 409,
    body: UNWORKABLE,
    detail: /the request is too long for the model/,
    asked: 1,
    logged: { status: 400, kind: 'request_too_long' },
  },
  'a prompt that is refused': {
    provider: fails(400, { code: 'content_policy_violation' }),
    status: 422,
    body: { reason: 'invalid_input', errors: [{ pointer: '/input' }] },
    detail: /refuses the content under its policy/,
    asked: 1,
    logged: { status: 400, kind: 'content_refused' },
  },
  'an answer that is stopped under policy': {
    provider: answering(200, chatAnswer({ content: ANSWER }, { finish_reason: 'content_filter' })),
    status: 422,
    body: { reason: 'invalid_input', errors: [{ pointer: '/input' }] },
    detail: /refuses the content under its policy/,
    asked: 1,
    logged: { status: 200, kind: 'content_refused' },
  },
  'a failure that is not known': {
    provider: answering(302, {}, { location: 'http://127.0.0.1:1/' }),
    status: 500,
    body: { reason: 'internal' },
    detail: /^The model provider \S+ failed in a way that is not known \(unclassified\)\.$/,
    asked: 1,
    logged: { status: 302, kind: 'unclassified' },
  },
  'a gateway whose words are told': {
    provider: fails(400, { message: `First line of ${KEY}: ${'y'.repeat(400)}\nsecond line` }),
    gateway: { expose_provider_messages: true },
    status: 409,
    body: UNWORKABLE,
    detail: /The provider said: First line of \[redacted\]: y{274}$/,
    asked: 1,
    logged: { status: 400, kind: 'definition_invalid', said: expect.stringMatching(/second line$/) },
  },
  'a gateway whose words are a document': {
    provider: answering(502, '<html><body>Bad gateway</body></html>', { 'retry-after-ms': '1' }),
    gateway: { expose_provider_messages: true },
    status: 503,
    body: { ...UNAVAILABLE, because: 'provider_unavailable' },
    detail: /answered 502 \(Bad Gateway\); try again later\.$/,
    asked: 3,
    logged: {
      status: 502,
      kind: 'provider_unavailable',
      said: '<html><body>Bad gateway</body></html>',
    },
  },
};

interface Met {
  answer: Answer;
  log: JsonObject | undefined;
  asked: number;
}

describe('given every row of the table', () => {
  let loopbacks: LoopbackServer[] = [];
  const logged: string[] = [];
  const collected: string[] = [];
  const asked = new Map<string, number>();
  const met = new Map<string, Met>();
  const answers: string[] = [];
  const left: string[] = [];

  beforeAll(async () => {
    const clock = steeredClock();
    const silent = Promise.withResolvers<void>();
    const names = Object.keys(ROWS);
    const nameOf = (row: string): string => `row-${names.indexOf(row)}`;
    const providers = await serveLoopback((request, response) => {
      const [, name = ''] = /^\/(row-\d+)\//.exec(request.url ?? '') ?? [];
      asked.set(name, (asked.get(name) ?? 0) + 1);
      request.resume();
      const row = names[Number(name.slice(4))] ?? '';
      if (row === SILENT) silent.resolve();
      ROWS[row]?.provider?.(request, response);
    });
    const secure = await serveLoopback(answering(200, {}), CERTIFICATE);
    const absent = await serveLoopback(() => undefined);
    await absent.close();
    // Whoever has its answer is through: what it sent is here by then.
    const collect = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      collected.push(JSON.stringify(await bodyOf(request)));
      answerJson(response, 200, {});
    };
    const collector = await serveLoopback((request, response) => void collect(request, response));
    const common = { api_key_env: 'GATEWAY_KEY', headers: { 'x-canary': HEADER }, query_params: { canary: QUERY } };
    const gateways = [
      ...names.map((row) => ({
        name: nameOf(row),
        base_url: `${providers.address}/${nameOf(row)}`,
        ...common,
        ...ROWS[row]?.gateway,
      })),
      { name: 'locked', base_url: providers.address },
      { name: 'untrusted', base_url: secure.address },
      { name: 'absent', base_url: absent.address },
    ];
    loopbacks = [providers, secure, collector];
    const server = await startServer({
      clock,
      logged,
      environment: {
        MODEL_GATEWAYS: JSON.stringify(gateways),
        GATEWAY_KEY: KEY,
        ALLOWED_MODELS: JSON.stringify([
          ...names.map((row) => `${nameOf(row)}/*`),
          'untrusted/*',
          'absent/*',
          'amazon-bedrock/*',
          'google-vertex/*',
          'nobody/*',
          'team/*',
        ]),
        // The alias lets the prefix nobody be allowed without being configured.
        MODEL_ALIASES: JSON.stringify({ 'team/fast': 'absent/some-model', 'nobody/other': 'nowhere/some-model' }),
        AWS_ACCESS_KEY_ID: KEY,
        GOOGLE_VERTEX_PROJECT: 'a-project',
        GOOGLE_VERTEX_LOCATION: 'europe-west1',
        GOOGLE_APPLICATION_CREDENTIALS: '/nonexistent/credentials.json',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
      },
    });
    const at = '/v1/orgs/local/playbooks/table';
    await server.post('/v1/orgs/local/playbooks', { playbook: 'table', name: 'Table' });
    const meet = async (row: string): Promise<void> => {
      const name = nameOf(row);
      const { model = `${name}/some-model`, front = '' } = ROWS[row] ?? {};
      const source = `---\nmodel: ${model}\ninstructions: Be {{ input.a }}{{ input.b }} at all times.\n${front.replace('GATEWAY', name)}\n---\nSay {{ input.a }}{{ input.b }} aloud, would you?\n`;
      const saved = await server.post(`${at}/definitions/reasoning`, { name, source });
      if (saved.status !== 201) throw new Error(`It was not saved: ${saved.text}`);
      const [a, b] = [PROMPT.slice(0, 11), PROMPT.slice(11)];
      const answer = await server.post(`${at}/definitions/reasoning/${name}/run`, { input: { a, b } });
      const log = logged.map((line) => JSON.parse(line) as JsonObject).find((one) => one['model'] === model);
      met.set(row, { answer, log, asked: asked.get(name) ?? 0 });
      const run = await server.get(`${at}/runs/${answer.body.run_id}`);
      const history = await server.get(`${at}/runs/${answer.body.run_id}/history`);
      answers.push(answer.text, JSON.stringify(run.body.record), history.text, JSON.stringify([...answer.headers]));
    };
    await Promise.all(names.filter((row) => row !== SILENT).map(meet));
    const last = meet(SILENT);
    await silent.promise;
    clock.skip(90_000);
    await last;
    for (const file of readdirSync(server.dataDir)) left.push(readFileSync(path.join(server.dataDir, file), 'latin1'));
    await server.close();
  }, 60_000);

  afterAll(() => Promise.all(loopbacks.map((one) => one.close())));

  // A row needs openssl, and is skipped where it is missing.
  const rows = Object.keys(ROWS).filter((row) => row !== UNTRUSTED || CERTIFICATE !== undefined);
  test.each(rows)('%s', (row) => {
    const { status, body, detail, asked: times, logged: log } = ROWS[row] as Row;
    const seen = met.get(row);
    expect(seen?.answer.body).toMatchObject(body);
    expect(seen?.answer.body.detail).toMatch(detail);
    expect(seen?.answer.status).toBe(status);
    expect(seen?.asked).toBe(times);
    expect(seen?.log).toMatchObject({
      level: 40,
      status: log.status,
      kind: log.kind,
      run_id: expect.any(String),
      provider: expect.any(String),
      ...(log.said === undefined ? {} : { provider_message: log.said }),
    });
  });

  test('an unavailable that may be tried again says when, others do not', () => {
    const after = (row: string): string | null | undefined => met.get(row)?.answer.headers.get('retry-after');
    expect(after('429 that says when')).toBe('75');
    expect(after(SILENT)).toBe('30');
    expect(after('a model that is not allowed')).toBeNull();
    expect(after('401')).toBeNull();
  });

  test('an answer that does not fit is told in at most five issues, in words of the schema', () => {
    const { errors } = met.get('an answer that does not fit')?.answer.body ?? {};
    expect(errors).toHaveLength(5);
    expect(errors).toContainEqual({ pointer: '/team', detail: expect.stringContaining('"a", "b"') });
    expect(errors).toContainEqual({ pointer: '', detail: expect.stringContaining('does not know') });
  });

  test('the allow list is never told', () => {
    expect(met.get('a model that is not allowed')?.answer.text).not.toMatch(/row-|untrusted|team\/\*/);
  });

  test('the operator is told what a caller is not', () => {
    expect(met.get('a setting that the SDK needs')?.log?.['hint']).toContain('AWS_REGION');
    expect(met.get('a setting that the SDK needs')?.answer.text).not.toContain('AWS_REGION');
    expect(met.get('401')?.log?.['provider_message']).toMatch(
      /^You sent \[redacted\], \[redacted\], \[redacted\]: \[prompt\]/,
    );
  });

  test.skipIf(CERTIFICATE === undefined)('what is wrong with a certificate is told the operator alone', () => {
    expect(met.get(UNTRUSTED)?.log?.['hint']).toContain('self-signed');
    expect(met.get(UNTRUSTED)?.answer.text).not.toContain('self-signed');
  });

  test('every kind is the error.type of the metric, and spans belong to the traces of the runs', () => {
    const told = collected.join('\n');
    expect(told).toContain('gen_ai.client.operation.duration');
    const kinds = new Set(
      [...told.matchAll(/"error\.type","value":\{"stringValue":"(\w+)"/g)].map(([, kind = '']) => kind),
    );
    expect([...kinds].toSorted()).toEqual(
      [...new Set(Object.values(ROWS).map(({ logged: { kind } }) => kind))].toSorted(),
    );
    const traces = [...told.matchAll(/"traceId":"([0-9a-f]{32})"/g)].map(([, id]) => id);
    const runTraces = answers.flatMap((text) => [...text.matchAll(/"trace_id":"([0-9a-f]{32})"/g)].map(([, id]) => id));
    expect(traces.length).toBe(Object.keys(ROWS).length);
    expect(new Set(runTraces)).toEqual(new Set(traces));
  });

  test.each([
    ['the database and its files', () => left],
    ['the logs', () => logged],
    ['answers, records and events', () => answers],
    ['telemetry', () => collected],
  ])('no key, prompt or answer is in %s', (_where, texts) => {
    const whole = texts().join('\n');
    expect(whole.length).toBeGreaterThan(1000);
    for (const canary of [...SECRETS, PROMPT, ANSWER]) expect(whole).not.toContain(canary);
  });
});
