// An input of null stays null wherever it comes from, and an absent one is `{}`.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../test/index.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const HEAD = "document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\n";
const ECHO = 'export default (input) => ({ got: input });';
let server: TestServer;

async function save(type: string, name: string, source: string): Promise<void> {
  expect((await server.post(`${AT}/definitions/${type}`, { name, source })).body).toMatchObject({ name });
}

beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  await save('computation', 'echo', ECHO);
  await save('workflow', 'echo', `${HEAD}do: [ { got: { set: { got: "\${ . }" } } } ]`);
  await save('computation', 'exposed', `export const expose = true;\n${ECHO}`);
  const calls: [string, string][] = [
    ['calls-null', 'call: workflow/echo, with: null'],
    ['calls-computed', 'call: workflow/echo, with: "${ .nothing }"'],
    ['calls-absent', 'call: workflow/echo'],
    ['calls-program', 'call: computation/echo, with: null'],
    ['runs-null', 'run: { workflow: { namespace: desk, name: echo, version: latest, input: null } }'],
    ['runs-computed', 'run: { workflow: { namespace: desk, name: echo, version: latest, input: "${ .nothing }" } }'],
    ['runs-absent', 'run: { workflow: { namespace: desk, name: echo, version: latest } }'],
  ];
  for (const [name, step] of calls) await save('workflow', name, `${HEAD}do: [ { call: { ${step} } } ]`);
});
afterAll(() => server.close());

async function outputOf(type: string, name: string, body: object): Promise<unknown> {
  const run = (await server.post(`${AT}/definitions/${type}/${name}/run`, body)).body;
  await expect.poll(async () => (await server.get(`${AT}/runs/${run.run_id}`)).body.status).toBe('succeeded');
  return (await server.get(`${AT}/runs/${run.run_id}`)).body.output;
}

test.each(['computation', 'workflow'])('a %s that is run over HTTP', async (type) => {
  expect(await outputOf(type, 'echo', { input: null })).toEqual({ got: null });
  expect(await outputOf(type, 'echo', {})).toEqual({ got: {} });
});

test.each([
  ['calls-null', null],
  ['calls-computed', null],
  ['calls-absent', {}],
  ['calls-program', null],
  ['runs-null', null],
  ['runs-computed', null],
  ['runs-absent', {}],
])('a run that %s', async (name, got) => {
  expect(await outputOf('workflow', name, {})).toEqual({ got });
});

test('a workflow that is run again from a step keeps the input', async () => {
  await save(
    'workflow',
    'twice',
    `${HEAD}do: [ { a: { set: { n: 1 } } }, { b: { set: { got: "\${ $workflow.input }" } } } ]`,
  );
  const run = (await server.post(`${AT}/definitions/workflow/twice/run`, { input: null })).body;
  const again = await server.post(`${AT}/runs/${run.run_id}/rerun`, { step: 'b' });
  expect(again.body).toMatchObject({ status: 'succeeded', output: { got: null } });
});

test('drafts and examples', async () => {
  const draft = { source: `${HEAD}do: [ { got: { set: { got: "\${ . }" } } } ]` };
  expect((await server.post(`${AT}/definitions/workflow/run-draft`, { ...draft, input: null })).body.output).toEqual({
    got: null,
  });
  expect((await server.post(`${AT}/definitions/workflow/run-draft`, draft)).body.output).toEqual({ got: {} });
  const source = `export const examples = [
    { name: 'null', input: null, output: { got: null } },
  ];\n${ECHO}`;
  const tested = (await server.post(`${AT}/definitions/computation/test`, { source })).body;
  expect(tested.examples).toMatchObject([{ status: 'passed' }]);
});

test('tools over MCP', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.address}/orgs/local/playbooks/desk/mcp`)));
  const run = async (given: Record<string, unknown>): Promise<unknown> =>
    client.callTool({ name: 'run_definition', arguments: { type: 'workflow', name: 'echo', ...given } });
  expect(await run({ input: null })).toMatchObject({ structuredContent: { output: { got: null } } });
  expect(await run({})).toMatchObject({ structuredContent: { output: { got: {} } } });
  const exposed = async (given: Record<string, unknown>): Promise<unknown> =>
    client.callTool({ name: 'computation_exposed', arguments: given });
  expect(await exposed({ input: null })).toMatchObject({ structuredContent: { output: { got: null } } });
  expect(await exposed({})).toMatchObject({ structuredContent: { output: { got: {} } } });
  await client.close();
});
