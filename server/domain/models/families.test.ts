// Each provider that is built in, asked at an address on the loopback in its own protocol.
import { writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createHttpClient, type HttpClient } from '../../lib/http-client/index.ts';
import { nowhere, serveHttp } from '../../lib/http-client/testing.ts';
import { MODEL_PROVIDERS } from '../../lib/model-providers/index.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { ModelRequest } from '../../kinds/models.ts';
import { CANARY_KEY, CANARY_PROMPT, temporaryFolder } from '../../test/index.ts';
import { environmentOf, FAMILIES } from './families.testing.ts';
import { answerJson, givenModels, steeredClock } from './models.testing.ts';

const KEY = CANARY_KEY;

describe('given a provider that answers', () => {
  const mock = new LLMock({ port: 0, host: '127.0.0.1' });
  beforeAll(async () => {
    mock.onMessage(CANARY_PROMPT, { content: 'General greeting.' });
    await mock.start();
  });
  afterAll(() => mock.stop());

  test.each(MODEL_PROVIDERS.map(({ id }) => id))('%s gives its text', async (prefix) => {
    const { ask } = givenModels(environmentOf(prefix, mock.url));
    const answer = await ask(`${prefix}/some-model`);
    expect(answer).toMatchObject({ ok: true, turn: { text: 'General greeting.', finishReason: 'stop' } });
  });
});

describe("given a cloud's own chain of credentials", () => {
  const profile = (name: string, files: string): Record<string, string> => ({
    AWS_PROFILE: name,
    AWS_REGION: 'eu-west-1',
    AWS_CONFIG_FILE: path.join(files, 'config'),
    AWS_SHARED_CREDENTIALS_FILE: path.join(files, 'credentials'),
  });

  test('a profile of AWS signs for Amazon Bedrock, and its key is never revealed', async () => {
    const files = temporaryFolder();
    onTestFinished(() => files.remove());
    writeFileSync(path.join(files.path, 'config'), '[profile team]\n');
    const [id, secret, token] = ['AKIA0123456789EXAMPL', 'secret/of+a+profile', 'token-of-a-session-4714'];
    const lines = ['[team]', `aws_access_key_id = ${id}`, `aws_secret_access_key = ${secret}`];
    writeFileSync(path.join(files.path, 'credentials'), [...lines, `aws_session_token = ${token}`, ''].join('\n'));
    const headers: IncomingHttpHeaders[] = [];
    const url = await serveHttp((request, response) => {
      headers.push(request.headers);
      answerJson(response, 403, { message: `The token ${token} of ${request.headers.authorization} has expired.` });
    });
    const base = { AMAZON_BEDROCK_BASE_URL: url.origin };
    const { ask, logged } = givenModels({ ...profile('team', files.path), ...base });
    const answer = await ask('amazon-bedrock/some-model');
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'credentials_rejected' } });
    expect(headers).toMatchObject([
      { authorization: expect.stringContaining(`Credential=${id}/`), 'x-amz-security-token': token },
    ]);
    expect(logged).toMatchObject([
      { status: 403, provider_message: 'The token [redacted] of [redacted] has expired.' },
    ]);
    expect(JSON.stringify([answer, logged])).not.toMatch(/token-of-a|secret\/of/);
  });

  test('a profile that is not there is a credential that is not there, and nothing is sent', async () => {
    const files = temporaryFolder();
    onTestFinished(() => files.remove());
    let asked = 0;
    const url = await serveHttp(() => void (asked += 1));
    const { ask } = givenModels({ ...profile('nobody', files.path), AMAZON_BEDROCK_BASE_URL: url.origin });
    expect(await ask('amazon-bedrock/some-model')).toMatchObject({
      ok: false,
      fault: { kind: 'credentials_rejected', detail: expect.stringContaining('has no credential') },
    });
    expect(asked).toBe(0);
  });
});

describe('given the client of an Entra tenant', () => {
  const SECRET = 'secret/of+the client~4715';
  const TOKEN = 'token-of-entra-4716';

  async function serveEntra(answer: () => [status: number, body: JsonObject] = () => [200, given()]) {
    const asked: { path: string; form: Record<string, string> }[] = [];
    const url = await serveHttp((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        asked.push({ path: request.url ?? '', form: Object.fromEntries(new URLSearchParams(body)) });
        answerJson(response, ...answer());
      });
    });
    return { asked, url };
  }
  const given = (): JsonObject => ({ access_token: TOKEN, token_type: 'Bearer', expires_in: 3600 });

  const environment = (entra: URL, azure: URL): Record<string, string> => ({
    AZURE_TENANT_ID: 'contoso.example',
    AZURE_CLIENT_ID: 'the-client',
    AZURE_CLIENT_SECRET: SECRET,
    AZURE_AUTHORITY_HOST: entra.origin,
    AZURE_BASE_URL: `${azure.origin}/v1`,
  });

  test('Azure is asked with its token, which is kept until it expires or is refused', async () => {
    const { asked, url: entra } = await serveEntra();
    const headers: IncomingHttpHeaders[] = [];
    let status = 500;
    const azure = await serveHttp((request, response) => {
      headers.push(request.headers);
      answerJson(response, status, { error: { message: `No: ${request.headers.authorization}` } });
    });
    const clock = steeredClock();
    const { ask, logged } = givenModels(environment(entra, azure), { clock });
    expect(await ask('azure/gpt')).toMatchObject({ fault: { kind: 'provider_unavailable' } });
    expect(headers.map(({ authorization }) => authorization)).toEqual(Array(3).fill(`Bearer ${TOKEN}`));
    expect(headers[0]).not.toHaveProperty('api-key');
    expect(asked).toEqual([
      {
        path: '/contoso.example/oauth2/v2.0/token',
        form: {
          grant_type: 'client_credentials',
          client_id: 'the-client',
          client_secret: SECRET,
          scope: 'https://cognitiveservices.azure.com/.default',
        },
      },
    ]);
    clock.skip(3_571_000);
    status = 401;
    expect(await ask('azure/gpt')).toMatchObject({ fault: { kind: 'credentials_rejected' } });
    expect(asked).toHaveLength(2);
    status = 400;
    await ask('azure/gpt');
    await ask('azure/gpt');
    expect(asked).toHaveLength(3);
    expect(logged).toMatchObject(Array.from({ length: 4 }, () => ({ provider_message: 'No: [redacted]' })));
  });

  test.each<[string, [number, JsonObject], string, number, string]>([
    ['refuses the client', [401, { error: 'invalid_client' }], 'credentials_rejected', 1, 'HTTP 401 (invalid_client)'],
    ['has no such tenant', [404, { error: SECRET }], 'credentials_rejected', 1, 'HTTP 404.'],
    ['is overloaded', [503, {}], 'provider_unavailable', 3, 'HTTP 503.'],
    ['redirects', [302, {}], 'provider_unavailable', 1, 'HTTP 302.'],
    ['gives something else', [200, { access_token: 7 }], 'provider_unavailable', 1, 'HTTP 200.'],
  ])('where Entra %s, nothing is sent to Azure', async (_what, answer, kind, times, hint) => {
    const { asked, url: entra } = await serveEntra(() => answer);
    let sent = 0;
    const azure = await serveHttp(() => void (sent += 1));
    const { ask, logged } = givenModels(environment(entra, azure), { clock: steeredClock() });
    const failed = await ask('azure/gpt');
    expect(failed).toMatchObject({ ok: false, fault: { kind } });
    expect({ asked: asked.length, sent }).toEqual({ asked: times, sent: 0 });
    expect(logged).toMatchObject([{ hint: expect.stringContaining(hint) }]);
    expect(JSON.stringify([failed, logged])).not.toContain(SECRET);
  });

  test('where Entra cannot be reached, it is asked again', async () => {
    const azure = await serveHttp(() => undefined);
    const clock = steeredClock();
    const { ask, logged } = givenModels(environment(await nowhere(), azure), { clock });
    expect(await ask('azure/gpt')).toMatchObject({ fault: { kind: 'provider_unavailable' } });
    expect(clock.waits).toEqual([2000, 4000]);
    expect(logged).toMatchObject([{ hint: expect.stringContaining('refused the connection') }]);
  });

  test('a missing tenant is reported in the log, and a key is preferred', async () => {
    const { asked, url: entra } = await serveEntra();
    const keys: unknown[] = [];
    const azure = await serveHttp((request, response) => {
      keys.push(request.headers['api-key']);
      answerJson(response, 400, {});
    });
    const { AZURE_TENANT_ID: _, ...rest } = environment(entra, azure);
    const without = givenModels(rest);
    expect(await without.ask('azure/gpt')).toMatchObject({ fault: { kind: 'credentials_rejected' } });
    expect(without.logged).toMatchObject([{ hint: expect.stringContaining('AZURE_TENANT_ID') }]);
    await givenModels({ ...rest, AZURE_API_KEY: KEY }).ask('azure/gpt');
    expect({ keys, asked }).toEqual({ keys: [KEY], asked: [] });
  });
});

describe("given Google's own credentials", () => {
  const vertex = { GOOGLE_VERTEX_PROJECT: 'p', GOOGLE_VERTEX_LOCATION: 'europe-west1' };

  /** The variables of a credential whose token is got at an address. */
  function credentialAt(token: URL): Record<string, string> {
    const files = temporaryFolder();
    onTestFinished(() => files.remove());
    const [subject, file] = [path.join(files.path, 'subject'), path.join(files.path, 'credentials.json')];
    writeFileSync(subject, 'a subject');
    writeFileSync(
      file,
      JSON.stringify({
        type: 'external_account',
        audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x',
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        token_url: String(token),
        credential_source: { file: subject },
      }),
    );
    return { ...vertex, GOOGLE_APPLICATION_CREDENTIALS: file };
  }

  test('a token is got once, and taken for each call until it expires', async () => {
    let got = 0;
    const tokens = await serveHttp((_request, response) => {
      got += 1;
      answerJson(response, 200, { access_token: `token-${got}`, token_type: 'Bearer', expires_in: 3600 });
    });
    const sent: unknown[] = [];
    const provider = await serveHttp((request, response) => {
      sent.push(request.headers.authorization);
      answerJson(response, 500, {}, { 'retry-after-ms': '1' });
    });
    const base = { GOOGLE_VERTEX_BASE_URL: provider.origin };
    const { ask } = givenModels({ ...credentialAt(tokens), ...base }, { clock: steeredClock() });
    await ask('google-vertex/some-model');
    await ask('google-vertex/some-model');
    expect(sent).toEqual(Array.from({ length: 6 }, () => 'Bearer token-1'));
    expect(got).toBe(1);
  });

  test('an unreachable token issuer is tried again, and is not reported as a missing credential', async () => {
    const clock = steeredClock();
    const { ask, logged } = givenModels(credentialAt(await nowhere()), { clock });
    expect(await ask('google-vertex/some-model')).toMatchObject({
      ok: false,
      fault: { kind: 'provider_unavailable', detail: expect.stringContaining('could not be reached') },
    });
    expect(clock.waits).toEqual([2000, 4000]);
    expect(logged).toMatchObject([{ hint: expect.stringContaining('ECONNREFUSED') }]);
  });
});

describe('given a provider that fails', () => {
  test.each(Object.keys(FAMILIES))(
    '%s fails in the kinds of the contract, and nothing holds its key',
    async (prefix) => {
      const address = await serveHttp((request, response) => {
        // The model's id, wherever the protocol puts it, says how the provider fails.
        let body = decodeURIComponent(request.url ?? '');
        request.on('data', (chunk: Buffer) => {
          body += chunk.toString();
        });
        request.on('end', () => {
          const [, status = '500'] = /status-(\d+)/.exec(body) ?? [];
          const error = {
            code: `code-${status}`,
            message: `Your key ${KEY} said: ${CANARY_PROMPT}`,
            type: 'some_type',
          };
          if (status === '200') return answerJson(response, 200, 'no JSON at all');
          answerJson(response, Number(status), { error, message: error.message }, { 'retry-after-ms': '1' });
        });
      });
      const { ask, logged } = givenModels(environmentOf(prefix, String(address).replace(/\/$/, '')), {
        clock: steeredClock(),
      });
      const kinds: Record<string, string> = {};
      const answers = await Promise.all(
        ['401', '403', '429', '408', '409', '500', '529', '400', '404', '422', '413', '200'].map(async (status) => {
          const answer = await ask(`${prefix}/status-${status}`);
          kinds[status] = answer.ok ? 'answered' : answer.fault.kind;
          return answer;
        }),
      );
      expect(kinds).toEqual({
        401: 'credentials_rejected',
        403: 'credentials_rejected',
        429: 'rate_limited',
        408: 'provider_unavailable',
        409: 'provider_unavailable',
        500: 'provider_unavailable',
        529: 'provider_unavailable',
        400: 'definition_invalid',
        404: 'definition_invalid',
        422: 'definition_invalid',
        413: 'request_too_long',
        200: 'provider_unavailable',
      });
      const shown = JSON.stringify([answers, logged]);
      expect(shown).not.toContain(KEY);
      expect(shown).not.toContain(CANARY_PROMPT);
      expect(logged).toHaveLength(12);
    },
  );
});

describe('given a hosted provider at its own address', () => {
  const said = (message: string): string => JSON.stringify({ error: { message, type: 'invalid_request_error' } });
  /** Sends what is meant for the provider to a server on the loopback. */
  async function asked(answer: string, request: Partial<ModelRequest> = {}): Promise<string> {
    const url = await serveHttp((_request, response) => answerJson(response, 400, answer));
    const http = createHttpClient();
    onTestFinished(() => http.close());
    const meant = <Request extends { url: URL }>(request: Request): Request => {
      expect(request.url.host).toBe('api.openai.com');
      return { ...request, url: new URL(`${url.origin}${request.url.pathname}`) };
    };
    const client: HttpClient = {
      close: () => undefined,
      send: (request, options) => http.send(meant(request), options),
      open: (request, options) => http.open(meant(request), options),
    };
    const { ask, logged } = givenModels({ OPENAI_API_KEY: KEY }, { client });
    const messages: ModelRequest['messages'] = [{ role: 'user', text: 'My secret prompt is here.' }];
    const given = await ask('openai/some-model', { messages, ...request });
    expect(JSON.stringify(logged)).not.toMatch(/said before|thought|4711-99|12345678|found by/);
    return given.ok ? '' : given.fault.detail;
  }

  test.each([
    [said('Unsupported parameter.\nSee our pages.'), / The provider said: Unsupported parameter\.$/],
    [said('x'.repeat(400)), / The provider said: x{300}$/],
    [said(`The key ${KEY} may not.`), / The provider said: The key \[redacted\] may not\.$/],
    [said('You wrote: My secret prompt is here.'), / The provider said: You wrote: \[prompt\]$/],
    [said('You wrote: "secret prompt is" and more'), / The provider said: You wrote: "\[prompt\]" and more$/],
    [said('{"error": "nested"}'), /change the definition\.$/],
    [said('<!doctype html><p>Bad'), /change the definition\.$/],
    [said('<?xml version="1.0"?>'), /change the definition\.$/],
    [said('   '), /change the definition\.$/],
    ['just a text', /change the definition\.$/],
  ])('of %s its caller gets this much', async (answer, words) => {
    expect(await asked(answer)).toMatch(words);
  });

  test('earlier turns are never revealed, neither answers of the model nor results of tools', async () => {
    const content = [
      { type: 'reasoning', text: 'It thought of this first.' },
      { type: 'text', text: 'This is what it said before.' },
      {
        type: 'tool-call',
        toolCallId: 'c1',
        toolName: 'find',
        input: '{"ticket": {"id": "T-4711-99", "account": 12345678}}',
      },
    ];
    const words = `You sent T-4711-99 of 12345678 and "what it said before." as "thought of this first", with what was found by it.`;
    const detail = await asked(said(words), {
      messages: [
        { role: 'user', text: 'Find the ticket.' },
        { role: 'assistant', raw: { content } },
        { role: 'tool', results: [{ callId: 'c1', tool: 'find', text: 'what was found by it', isError: false }] },
      ],
    });
    expect(detail).toMatch(
      / The provider said: You sent \[prompt\] of \[prompt\] and "\[prompt\]" as "\[prompt\]", with \[prompt\]\.$/,
    );
  });
});
