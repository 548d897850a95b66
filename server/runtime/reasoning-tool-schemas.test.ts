// Reasoning functions with tools whose schemas and names providers refuse, and a real MCP server over HTTP.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { serveTools } from '../domain/tools/mcp-servers.testing.ts';
import { chatAnswer } from '../domain/models/models.testing.ts';
import { AT, callsTool, fn, givenFolder, serveTurns } from './reasoning.testing.ts';
import { startServer } from '../test/index.ts';

const text = { type: 'string' };
const LONG = 'x'.repeat(100);
const TOOLS: JsonObject[] = [
  { name: 'find', inputSchema: { anyOf: [{ properties: { id: text } }, { properties: { 'the name': text } }] } },
  { name: LONG, inputSchema: { type: 'object', properties: { 'filter[x]': text } } },
  { name: 'say something', inputSchema: {} },
  { name: 'text', inputSchema: { type: 'string' } },
];

test('they are called by their own names with their own arguments, and one that cannot be adapted is left out', async () => {
  const provider = await serveTurns([
    callsTool('shop__find', { input: { the_name: 'Ada' } }),
    callsTool(`shop__${LONG}`.slice(0, 64), { filter_x_: 'a' }),
    callsTool(`shop/${LONG}`, { filter_x_: 'b' }),
    callsTool('say something', {}),
    chatAnswer({ content: 'Done.' }),
  ]);
  const called: JsonObject[] = [];
  const url = await serveTools(TOOLS, (params) => {
    called.push(params);
    return {
      content: [
        { type: 'resource', resource: { uri: 'shop://1', text: `Found by ${String(params['name']).slice(0, 4)}.` } },
      ],
    };
  });
  const config = path.join(givenFolder(), 'config.yaml');
  const settings = {
    tool_servers: { shop: { type: 'mcp', url: url.href } },
    model_gateways: [{ name: 'local', base_url: provider.address }],
  };
  writeFileSync(config, JSON.stringify(settings));
  const logged: string[] = [];
  const server = await startServer({ environment: { CONFIG_FILE: config }, logged });
  onTestFinished(() => server.close());
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  await server.post(`${AT}/definitions/reasoning`, { name: 'sort', source: fn('tools: [shop/*]') });
  const { body } = await server.post(`${AT}/definitions/reasoning/sort/run`, { input: {} });

  expect(body).toMatchObject({ status: 'succeeded', output: { text: 'Done.' } });
  expect(called.map(({ name, arguments: args }) => [name, args])).toEqual([
    ['find', { 'the name': 'Ada' }],
    [LONG, { 'filter[x]': 'a' }],
    [LONG, { 'filter[x]': 'b' }],
    ['say something', {}],
  ]);
  expect(provider.bodies[1]?.['messages']).toMatchObject([{}, {}, { role: 'tool', content: 'Found by find.' }]);
  const { record } = (await server.get(`${AT}/runs/${body.run_id}`)).body;
  expect(record.left_out_tools).toEqual([
    { server: 'shop', tool: 'text', reason: expect.stringContaining('not an object') },
  ]);
  expect(record.steps[1].tool_calls).toEqual([{ server: 'shop', tool: LONG, outcome: 'result' }]);
  const warnings = logged.filter((line) => line.includes('left out'));
  expect(warnings.map((line) => JSON.parse(line) as JsonObject)).toMatchObject([
    { level: 40, run_id: body.run_id, tool: 'shop__text', provider: 'local' },
  ]);
  const { events } = (await server.get(`${AT}/runs/${body.run_id}/history`)).body;
  const starts = events.filter(({ type }: { type: string }) => type === 'tool_call_started');
  expect(starts.map(({ data }: { data: JsonObject }) => [data['tool'], data['arguments']])).toEqual(
    called.map(({ name, arguments: args }) => [name, args]),
  );
});
