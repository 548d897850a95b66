// The contract's table of model failures, each row caused by a server that asks real providers on the loopback: what the
// caller sees, what the operator's log says, what the metric counts. Afterwards secrets, prompts and answers are looked
// for in everything that was left behind.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { holdPort } from '../../lib/http-client/testing.ts';
import { type Answer, filesIn, type LoopbackServer, serveLoopback, startServer } from '../../test/index.ts';
import { answerJson, bodyOf, steeredClock } from './models.testing.ts';
import { FAILING_PROVIDERS } from './failing-providers.testing.ts';
import { FAILING_REQUESTS } from './failing-requests.testing.ts';
import {
  KEY,
  HEADER,
  QUERY,
  PROMPT,
  ANSWER,
  answering,
  type Row,
  CERTIFICATE,
  UNTRUSTED,
  SILENT,
  SEEN,
  SECRETS,
} from './failure-row.testing.ts';

const ROWS: Readonly<Record<string, Row>> = { ...FAILING_PROVIDERS, ...FAILING_REQUESTS };

interface Met {
  answer: Answer;
  log: JsonObject | undefined;
  asked: number;
}

describe('given every row of the table', () => {
  let loopbacks: LoopbackServer[] = [];
  let releasePort = (): void => undefined;
  const logged: string[] = [];
  const collected: string[] = [];
  const asked = new Map<string, number>();
  const outcomes = new Map<string, Met>();
  const answers: string[] = [];
  const missing: string[] = [];

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
    const absent = await holdPort();
    releasePort = absent.release;
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
      { name: 'absent', base_url: `http://127.0.0.1:${absent.port}` },
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
      outcomes.set(row, { answer, log, asked: asked.get(name) ?? 0 });
      const run = await server.get(`${at}/runs/${answer.body.run_id}`);
      const history = await server.get(`${at}/runs/${answer.body.run_id}/history`);
      answers.push(answer.text, JSON.stringify(run.body.record), history.text, JSON.stringify([...answer.headers]));
    };
    await Promise.all(names.filter((row) => row !== SILENT).map(meet));
    const last = meet(SILENT);
    await silent.promise;
    clock.skip(90_000);
    await last;
    for (const file of filesIn(server.dataDir)) missing.push(readFileSync(file, 'latin1'));
    await server.close();
  }, 60_000);

  afterAll(() => {
    releasePort();
    return Promise.all(loopbacks.map((one) => one.close()));
  });

  // A row needs openssl, and is skipped where it is missing.
  const rows = Object.keys(ROWS).filter((row) => row !== UNTRUSTED || CERTIFICATE !== undefined);
  test.each(rows)('%s', (row) => {
    const { kind, seen = SEEN[kind], detail, asked: times, answered, said } = ROWS[row] as Row;
    const { answer, asked: requests, log } = outcomes.get(row) as Met;
    expect(answer.body).toMatchObject(seen?.body ?? {});
    expect(answer.body.detail).toMatch(detail);
    expect(answer.status).toBe(seen?.status);
    expect(requests).toBe(times);
    expect(log).toMatchObject({
      level: 40,
      status: answered,
      kind,
      run_id: expect.any(String),
      provider: expect.any(String),
      ...(said === undefined ? {} : { provider_message: said }),
    });
  });

  test('an unavailable that may be tried again says when, others do not', () => {
    const after = (row: string): string | null | undefined => outcomes.get(row)?.answer.headers.get('retry-after');
    expect(after('429 that says when')).toBe('75');
    expect(after(SILENT)).toBe('30');
    expect(after('a model that is not allowed')).toBeNull();
    expect(after('401')).toBeNull();
  });

  test('an answer that does not fit is reported in at most five issues, in terms of the schema', () => {
    const { errors } = outcomes.get('an answer that does not fit')?.answer.body ?? {};
    expect(errors).toHaveLength(5);
    expect(errors).toContainEqual({ pointer: '/team', detail: expect.stringContaining('"a", "b"') });
    expect(errors).toContainEqual({ pointer: '', detail: expect.stringContaining('not in the schema') });
  });

  test('the allow list is never revealed', () => {
    expect(outcomes.get('a model that is not allowed')?.answer.text).not.toMatch(/row-|untrusted|team\/\*/);
  });

  test('the log shows the operator what a caller does not see', () => {
    expect(outcomes.get('a setting that the SDK needs')?.log?.['hint']).toContain('AWS_REGION');
    expect(outcomes.get('a setting that the SDK needs')?.answer.text).not.toContain('AWS_REGION');
    expect(outcomes.get('401')?.log?.['provider_message']).toMatch(
      /^You sent \[redacted\], \[redacted\], \[redacted\]: \[prompt\]/,
    );
  });

  test.skipIf(CERTIFICATE === undefined)('what is wrong with a certificate is only in the log', () => {
    expect(outcomes.get(UNTRUSTED)?.log?.['hint']).toContain('self-signed');
    expect(outcomes.get(UNTRUSTED)?.answer.text).not.toContain('self-signed');
  });

  test('every kind is the error.type of the metric, and spans belong to the traces of the runs', () => {
    const logText = collected.join('\n');
    expect(logText).toContain('gen_ai.client.operation.duration');
    for (const name of [
      'store.commits',
      'store.statements',
      'tasks.due',
      'tasks.late',
      'views.behind',
      'views.stalled',
    ])
      expect(logText).toContain(`"name":"${name}"`);
    const kinds = new Set(
      [...logText.matchAll(/"error\.type","value":\{"stringValue":"(\w+)"/g)].map(([, kind = '']) => kind),
    );
    expect([...kinds].toSorted()).toEqual(Object.keys(SEEN).toSorted());
    const traces = [...logText.matchAll(/"traceId":"([0-9a-f]{32})"/g)].map(([, id]) => id);
    const runTraces = answers.flatMap((text) => [...text.matchAll(/"trace_id":"([0-9a-f]{32})"/g)].map(([, id]) => id));
    expect(traces.length).toBe(Object.keys(ROWS).length);
    expect(new Set(runTraces)).toEqual(new Set(traces));
  });

  test.each([
    ['the database and its files', () => missing],
    ['the logs', () => logged],
    ['answers, records and events', () => answers],
    ['telemetry', () => collected],
  ])('no key, prompt or answer is in %s', (_where, texts) => {
    const whole = texts().join('\n');
    expect(whole.length).toBeGreaterThan(1000);
    for (const canary of [...SECRETS, PROMPT, ANSWER]) expect(whole).not.toContain(canary);
  });
});
