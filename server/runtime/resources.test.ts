import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isDefinitionType } from '../../shared/definition-types.ts';
import { PROBLEMS } from '../../shared/problems.ts';
import { BUILT_IN, variablesOf } from '../settings/index.ts';
import { type Answer, CANARY_KEY, startServer, temporaryFolder, type TestServer } from '../test/index.ts';
import { documentOf, entryOf, serveApi } from '../domain/tools/api.testing.ts';
import { readGuides } from './resources.ts';

const guide = (name: string): string => readGuides().find((one) => one.name === name)?.text ?? '';
const code = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, body = '']) => body);

/** A request of a guide, written for curl. */
/** What is wrong with the types of a program, as far as they could be checked in time. */
const mistyped = ({ body }: Answer): string[] =>
  body.warnings
    .map(({ detail }: { detail: string }) => detail)
    .filter((words: string) => !words.includes('The types were not checked'));

function requestOf(command: string): { path: string; body: string } {
  const [, path = ''] = /http:\/\/127\.0\.0\.1:4747([^\s']+)/.exec(command) ?? [];
  return { path, body: /-d '(.*)'/s.exec(command)?.[1] ?? '' };
}

async function given(environment: Record<string, string>): Promise<TestServer> {
  const server = await startServer({ environment });
  onTestFinished(() => server.close());
  await server.post('/v1/orgs/local/playbooks', { playbook: 'wildlife-strikes', name: 'Wildlife strikes' });
  return server;
}

describe('the guides', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  test('each has a title and is served unchanged', async () => {
    for (const { name, title, text } of readGuides()) {
      // The guide on reasoning ends with what the settings say.
      expect(title).not.toBe('');
      expect((await server.get(`/v1/guides/${name}`)).text.startsWith(text.trimEnd())).toBe(true);
    }
  });

  test('the requests of the guide http work as they are written', async () => {
    const answers: number[] = [];
    let output: unknown;
    for (const command of code(guide('http'), 'sh')) {
      const { path: address, body } = requestOf(command);
      const answer = await server.post(address, body);
      answers.push(answer.status);
      output = answer.body.output;
    }
    expect(answers).toEqual([201, 201, 200]);
    expect(output).toEqual({ total: 11.9 });
  });

  test('the program of the guide computation is saved without a warning and gives what its example says', async () => {
    await server.post('/v1/orgs/local/playbooks', { playbook: 'guide', name: 'Guide' });
    const [source] = code(guide('computation'), 'ts');
    const saved = await server.post('/v1/orgs/local/playbooks/guide/definitions/computation', {
      name: 'of-guide',
      source,
    });
    expect([saved.status, mistyped(saved)]).toEqual([201, []]);
    const [example] = saved.body.details.examples;
    const run = await server.post('/v1/orgs/local/playbooks/guide/definitions/computation/of-guide/run', {
      input: example.input,
    });
    expect(run.body.output).toEqual(example.output);
  });

  test('the recall function of the guide is saved without a warning and keeps its view of the events of its example', async () => {
    const at = '/v1/orgs/local/playbooks/recall-guide';
    await server.post('/v1/orgs/local/playbooks', { playbook: 'recall-guide', name: 'Guide' });
    const [source] = code(guide('recall'), 'ts');
    const saved = await server.post(`${at}/definitions/recall`, { name: 'open-tickets', source });
    expect([saved.status, mistyped(saved)]).toEqual([201, []]);
    const [{ events, input, output }] = saved.body.details.examples;
    for (const event of events) await server.post(`${at}/events`, { event: { source: '/desk', ...event } });
    const run = await server.post(`${at}/definitions/recall/open-tickets/run`, { input });
    expect(run.body.output).toEqual(output);
  });

  test('the workflow of the guide is saved without a warning, decides by itself, or waits for its answer', async () => {
    const at = '/v1/orgs/local/playbooks/flow-guide';
    await server.post('/v1/orgs/local/playbooks', { playbook: 'flow-guide', name: 'Guide' });
    const program = 'export default (input) => ({ total: Math.round(input.price * 119) / 100 });';
    await server.post(`${at}/definitions/computation`, { name: 'add-tax', source: program });
    const [source] = code(guide('workflow'), 'yaml');
    const saved = await server.post(`${at}/definitions/workflow`, { name: 'approve-order', source });
    expect(saved).toMatchObject({ status: 201, body: { warnings: [] } });
    const run = async (price: number): Promise<string> =>
      (await server.post(`${at}/definitions/workflow/approve-order/run`, { input: { price } })).body.run_id;
    const ended = async (id: string): Promise<unknown> => {
      await expect
        .poll(async () => (await server.get(`${at}/runs/${id}`)).body.status, { timeout: 5000 })
        .not.toBe('started');
      return (await server.get(`${at}/runs/${id}`)).body.output;
    };
    expect(await ended(await run(10))).toEqual({ approved: true, total: 11.9 });
    const large = await run(1000);
    await server.post(`${at}/runs/${large}/events`, { event: { type: 'order.answered', data: { approved: false } } });
    expect(await ended(large)).toEqual({ approved: false });
  });

  test('the workflow of the guide that an event starts asks, publishes what was decided, and gives up in time', async () => {
    const at = '/v1/orgs/local/playbooks/refund-guide';
    await server.post('/v1/orgs/local/playbooks', { playbook: 'refund-guide', name: 'Guide' });
    const [question] = code(guide('interaction'), 'yaml');
    await server.post(`${at}/definitions/interaction`, { name: 'approve-refund', source: question });
    const [, source = ''] = code(guide('workflow'), 'yaml');
    const save = (text: string) => server.put(`${at}/definitions/workflow/handle-refund`, { source: text });
    const saved = await server.post(`${at}/definitions/workflow`, { name: 'handle-refund', source });
    expect(saved).toMatchObject({ status: 201, body: { warnings: [] } });
    const data = JSON.parse(/the data `(\{.*?\})`/.exec(guide('workflow'))?.[1] ?? '');
    const request = async (id: string): Promise<string> => {
      const event = { source: '/shop', type: 'refund.requested', data: { ...data, id } };
      const { body } = await server.post(`${at}/events`, { event });
      expect(body.reached).toMatchObject([{ effect: 'starts' }]);
      return body.reached[0].run_id;
    };
    const asked = async () => (await server.get(`${at}/interactions`)).body.interactions;
    const decided = async (subject: string) => {
      const { events } = (await server.get(`${at}/events?type=event_published`)).body;
      return events
        .map(({ data: { event, data } }: { data: { event: { subject?: string }; data: unknown } }) => ({
          ...event,
          data,
        }))
        .find((event: { subject?: string }) => event.subject === subject);
    };

    const first = await request('R-1');
    await expect.poll(asked, { timeout: 5000 }).toMatchObject([{ to: 'ada' }]);
    await server.post(`${at}/runs/${(await asked())[0].run_id}/answer`, { answer: { approved: true, note: 'fine' } });
    await expect
      .poll(() => decided('R-1'), { timeout: 5000 })
      .toMatchObject({ type: 'refund.decided', data: { approved: true, note: 'fine' } });
    expect((await server.get(`${at}/runs/${first}`)).body.status).toBe('succeeded');

    await save(source.replace('P2D', 'PT1S'));
    await request('R-2');
    await expect
      .poll(() => decided('R-2'), { timeout: 10_000 })
      .toMatchObject({ data: { approved: false, note: 'nobody answered' } });
    await expect.poll(asked, { timeout: 5000 }).toEqual([]);
  }, 40_000);

  test('the workflow of the guide tools is saved; all it lacks is its tool server', async () => {
    const at = '/v1/orgs/local/playbooks/tool-guide';
    await server.post('/v1/orgs/local/playbooks', { playbook: 'tool-guide', name: 'Guide' });
    const [source] = code(guide('tools'), 'yaml');
    const saved = await server.post(`${at}/definitions/workflow`, { name: 'file-issue', source });
    expect(saved.status, saved.text).toBe(201);
    expect(saved.body.warnings).toMatchObject([{ detail: expect.stringContaining('tracker/create_issue') }]);
  });

  test('the interaction of the guide is saved without a warning, waits, and takes an answer; its parts are as it says', async () => {
    const at = '/v1/orgs/local/playbooks/ask-guide';
    await server.post('/v1/orgs/local/playbooks', { playbook: 'ask-guide', name: 'Guide' });
    const save = (name: string, source: string) => server.post(`${at}/definitions/interaction`, { name, source });
    const [source = ''] = code(guide('interaction'), 'yaml');
    const [, call = ''] = code(guide('tools'), 'yaml');
    const [deliver = ''] = code(guide('delivery'), 'yaml');
    const saved = await save('approve-refund', source);
    expect(saved).toMatchObject({ status: 201, body: { warnings: [] } });
    const [example] = saved.body.details.examples;
    const run = await server.post(`${at}/definitions/interaction/approve-refund/run`, { input: example.input });
    expect(run.body).toMatchObject({ status: 'started' });
    const [request] = (await server.get(`${at}/interactions`)).body.interactions;
    expect(request).toMatchObject({ to: 'ada', message: 'Approve a refund of 12 EUR? Reason: none given' });
    await server.post(`${at}/runs/${request.run_id}/answer`, { answer: example.output });
    expect((await server.get(`${at}/runs/${request.run_id}`)).body.output).toEqual(example.output);
    const indented = deliver.replaceAll(/^/gm, '  ');
    const delivered = source.replace('  expires: P3D\n', `  expires: P3D\n${indented}\n`);
    // What they lack is a server to go through, and nothing else.
    const without = (name: string) => ({ detail: expect.stringContaining(`No tool server ${name} is configured`) });
    const chat = [without('chat'), without('chat'), without('chat')];
    expect(await save('through-chat', delivered)).toMatchObject({ status: 201, body: { warnings: chat } });
    expect(await save('call-tool', call)).toMatchObject({ status: 201, body: { warnings: [without('github')] } });
  });

  test.each(readGuides().filter(({ text }) => code(text, 'mcp').length > 0))(
    'the calls over MCP of the guide $name work as they are written',
    async ({ text }) => {
      await server.post('/v1/orgs/local/playbooks', { playbook: 'wildlife-strikes', name: 'Wildlife strikes' });
      const client = new Client({ name: 'guides', version: '1.0.0' });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${server.address}/mcp`)));
      for (const line of code(text, 'mcp').join('').trimEnd().split('\n')) {
        const [, name = '', given = ''] = /^(\w+) (\{.*\})$/.exec(line) ?? [];
        const { isError = false, content } = await client.callTool({ name, arguments: JSON.parse(given) });
        expect([name, isError, content]).toEqual([name, false, expect.anything()]);
      }
      await client.close();
    },
  );

  test('the function of the guide reasoning is saved, warned of a missing provider alone, and the guide ends with it', async () => {
    await server.post('/v1/orgs/local/playbooks', { playbook: 'mind-guide', name: 'Guide' });
    const [source] = code(guide('reasoning'), 'markdown');
    const saved = await server.post('/v1/orgs/local/playbooks/mind-guide/definitions/reasoning', {
      name: 'of-guide',
      source,
    });
    expect(saved.status).toBe(201);
    expect(saved.body.warnings.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/source/model']);
    const served = await server.get('/v1/guides/reasoning');
    expect(served.text.trim().split('\n').at(-1)).toBe(
      'No model provider is configured on this server, so no reasoning function can run.',
    );
  });
  test('the guide errors names every problem with its status', () => {
    const rows = [...guide('errors').matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, name, status]) => [
      name,
      Number(status),
    ]);
    expect(rows).toEqual(Object.entries(PROBLEMS).map(([name, { status }]) => [name, status]));
  });
});

test('the function of the guide reasoning gives what its example says, once its provider is configured', async () => {
  const [source = ''] = code(guide('reasoning'), 'markdown');
  const mock = new LLMock({ port: 0, host: '127.0.0.1' });
  await mock.start();
  onTestFinished(() => mock.stop());
  const server = await given({ OPENAI_API_KEY: CANARY_KEY, OPENAI_BASE_URL: `${mock.url}/v1` });
  const at = '/v1/orgs/local/playbooks/wildlife-strikes/definitions/reasoning';
  const saved = await server.post(at, { name: 'triage', source });
  expect(saved).toMatchObject({ status: 201, body: { warnings: [] } });
  const [example] = saved.body.details.examples;
  mock.onMessage(example.input.body, { content: JSON.stringify(example.output) });
  const run = await server.post(`${at}/triage/run`, { input: example.input });
  expect(run.body).toMatchObject({ status: 'succeeded', output: example.output });
});

test('what the guide tools does over HTTP works as it is written, and so does its workflow', async () => {
  const title = { name: 'title', in: 'query', schema: { type: 'string' } };
  const tracker = await serveApi(
    documentOf({ create_issue: { method: 'post', summary: 'Creates an issue.', parameters: [title] } }),
    (_request, response) => {
      response.setHeader('content-type', 'application/json').end('{"id":7}');
    },
  );
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const config = path.join(folder.path, 'cuebook.yaml');
  writeFileSync(config, JSON.stringify({ tool_servers: { tracker: entryOf(tracker) } }));
  const server = await given({ CONFIG_FILE: config });

  const [search = ''] = code(guide('tools'), 'sh');
  const found = await server.get(requestOf(search).path);
  expect(found.body).toMatchObject({ servers: [{ name: 'tracker' }], scopes: ['tracker'] });
  const [{ server: name, tool }] = found.body.tools;
  const playbook = '/v1/orgs/local/playbooks/wildlife-strikes';
  const rows = [...guide('tools').matchAll(/^\| .* \| `(GET|POST) (AT\S*)`(?: `(.*)`)? \| (.*) \|$/gm)];
  expect(rows).toHaveLength(4);
  for (const [, method, at = '', body = '', fields = ''] of rows) {
    const address = at.replace('AT', `${playbook}/tool-servers/${name}/tools/${tool}`);
    const answer =
      method === 'GET' ? await server.get(address) : await server.post(address, body.replace('...', '"title":"Late"'));
    expect(answer.status, address).toBe(200);
    expect(Object.keys(answer.body)).toContain(/`(\w+)`/.exec(fields)?.[1]);
  }

  const [source] = code(guide('tools'), 'yaml');
  const saved = await server.post(`${playbook}/definitions/workflow`, { name: 'file-issue', source });
  expect(saved).toMatchObject({ status: 201, body: { warnings: [] } });
  const run = await server.post(`${playbook}/definitions/workflow/file-issue/run`, { input: { title: 'Late' } });
  const ended = async () => (await server.get(`${playbook}/runs/${run.body.run_id}`)).body;
  await expect.poll(async () => (await ended()).status).toBe('succeeded');
  expect((await ended()).output).toEqual({ id: 7 });
});

test('the event of the guide events is taken as it is written, and the problem of the guide errors is one that is answered', async () => {
  const server = await given({});
  const [publish = ''] = code(guide('events'), 'sh');
  const { path: address, body } = requestOf(publish);
  const published = await server.post(address, body);
  expect([published.status, Object.keys(published.body)]).toEqual([
    200,
    ['id', 'time', 'recorded_at', 'event_id', 'reached'],
  ]);

  const at = '/v1/orgs/local/playbooks/wildlife-strikes/definitions/computation';
  const input = "{ type: 'object', properties: { price: { type: 'number', minimum: 0 } } }";
  const source = `export const input = ${input};\nexport default () => 1;`;
  expect((await server.post(at, { name: 'add-tax', source })).status).toBe(201);
  const refused = await server.post(`${at}/add-tax/run`, { input: { price: -1 } });
  const [shown = ''] = code(guide('errors'), 'json');
  const { run_id: _one, ...expected } = JSON.parse(shown);
  expect(refused.body).toMatchObject(expected);
});

test('the page on models names every variable of a provider', () => {
  const page = readFileSync(new URL('../../docs/models.md', import.meta.url), 'utf8');
  const missing = BUILT_IN.flatMap(variablesOf).filter((name) => !page.includes(`\`${name}\``));
  expect(missing, 'add them to "Built-in providers" in docs/models.md').toEqual([]);
});

test('the sample is saved as a whole without a warning, but for its models', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const folder = new URL('../../resources/samples/wildlife-strikes/', import.meta.url);
  const definitions = readdirSync(folder).flatMap((file) => {
    const [, name, type] = /^([a-z-]+)\.(\w+)\.(?:md|yaml|ts)$/.exec(file) ?? [];
    if (name === undefined || type === undefined || !isDefinitionType(type)) return [];
    const source = readFileSync(new URL(file, folder), 'utf8');
    return [{ type, name, source, sha256: createHash('sha256').update(source).digest('hex') }];
  });
  const applied = await server.post('/v1/orgs/local/playbooks/wildlife/apply', { name: 'Wildlife', definitions });
  expect(applied.status, applied.text).toBe(200);
  expect(applied.body.definitions).toHaveLength(definitions.length);
  const pointers = applied.body.definitions.flatMap(
    ({ warnings = [] }: { warnings?: { pointer: string; detail: string }[] }) =>
      warnings.filter(({ detail }) => !detail.includes('The types were not checked')).map(({ pointer }) => pointer),
  );
  expect(new Set(pointers)).toEqual(new Set(['/source/model']));
});

test('the connection of the guide is taken as it is written', async () => {
  const server = await startServer();
  try {
    const [command = ''] = code(guide('connections'), 'sh');
    const { path: address, body } = requestOf(command);
    expect(await server.post(address, body)).toMatchObject({ status: 201, body: { status: 'pending' } });
  } finally {
    await server.close();
  }
});
