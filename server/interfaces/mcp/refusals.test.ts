// What an agent reads when its arguments are refused: which field, what is wrong, what to write instead.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { startServer, type TestServer } from '../../test/index.ts';
import { type McpTestClient, newClient } from './mcp.testing.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const QUESTION = `description: Asks.
ask:
  to: ada
  message: Approve it?
  answer:
    type: object
    required: [approved]
    properties: { approved: { type: boolean, description: Whether it is approved }, note: { type: string } }
    additionalProperties: false
`;
const PROGRAM = `export const input = { type: 'object', properties: {
  code: { type: 'string', pattern: '^[A-Z]{3}-[0-9]+$', description: 'The code of the order.', examples: ['ABC-1'] },
} };
export default () => 1;
`;

let server: TestServer;
let all: McpTestClient;
let desk: McpTestClient;
let asked: string;
beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  await server.post(`${AT}/definitions/interaction`, { name: 'approve', source: QUESTION });
  await server.post(`${AT}/definitions/computation`, { name: 'look-up', source: PROGRAM });
  asked = (await server.post(`${AT}/definitions/interaction/approve/run`, {})).body.run_id;
  all = await newClient(server, '/mcp');
  desk = await newClient(server, '/orgs/local/playbooks/desk/mcp');
});
afterAll(async () => {
  await Promise.all([all.close(), desk.close()]);
  await server.close();
});

async function refusal(client: McpTestClient, name: string, given: JsonObject): Promise<string> {
  const { isError, content } = await client.call(name, given);
  expect(isError).toBe(true);
  return content.map(({ text = '' }) => text).join('\n');
}

test('an unknown argument is refused with all arguments of the tool, those of its path included', async () => {
  expect(await refusal(all, 'get_run', { playbook: 'desk', id: asked })).toMatch(
    /unknown field `id`; known fields: `playbook`, `run_id`/,
  );
  expect(await refusal(desk, 'get_run', { run_id: asked, other: 1 })).toContain('known fields: `run_id`.');
  expect(await refusal(all, 'get_run', { playbook: 'desk', runid: asked })).toContain('did you mean `run_id`?');
  expect(await refusal(all, 'list_runs', { playbook: 'desk', statuss: 'failed', limit: 0 })).toMatch(
    /`limit` .* must be at least 1\..*unknown field `statuss` \(did you mean `status`\?\)/s,
  );
});

test('an answer in words is refused with the fields of the answer', async () => {
  expect(await refusal(desk, 'answer_interaction', { run_id: asked, answer: 'yes, please' })).toContain(
    'The answer must be an object with the field `approved`, and optionally `note`.',
  );
});

test('a pattern is described, after what the schema says of the field', async () => {
  const given = { type: 'computation', name: 'look-up', input: { code: 'x' } };
  expect(await refusal(desk, 'run_definition', given)).toContain(
    '`code` (The code of the order, for example "ABC-1") must be 3 capital letters, then "-", then one or more digits.',
  );
  const version = { type: 'computation', name: 'look-up', version: 'latest' };
  expect(await refusal(desk, 'get_definition_version', version)).toContain(
    'must be a whole number from 1 to 999999999',
  );
  expect(await refusal(desk, 'cancel_run', { run_id: asked, reason: 'a\u0007' })).toContain(
    'must contain no control characters; remove them',
  );
});
