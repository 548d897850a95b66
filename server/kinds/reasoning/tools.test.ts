import { expect, test } from 'vitest';
import { unavailable } from '../../lib/rejection.ts';
import { NO_TOOLS, type RunTools } from '../tools.ts';
import { offerTools } from './tools.ts';

/** So many tools, each with a schema of a hundred kilobytes, and how many of the schemas were made. */
function given(count: number): { tools: RunTools; made: () => number } {
  let made = 0;
  const inputSchema = () => {
    made += 1;
    return { type: 'object', description: 'x'.repeat(100_000) };
  };
  const named = (tool: string) => ({ server: 'api', tool, description: '', inputSchema, readOnly: true });
  const list = async () => Array.from({ length: count }, (_, number) => named(`act_${number}`));
  return { tools: { ...NO_TOOLS, requireAllowed: () => undefined, list }, made: () => made };
}

test('of the tools of a server, the schema of each that is named is made', async () => {
  const { tools, made } = given(2000);
  const { tools: offered } = await offerTools(['api/act_3', 'api/act_7'], tools);
  expect(offered.map(({ name }) => name)).toEqual(['api__act_3', 'api__act_7']);
  expect(made()).toBe(2);
});

test('more tools than any model is served with are unworkable, and no more schemas are made than show it', async () => {
  const { tools, made } = given(2000);
  await expect(offerTools(['api/*'], tools)).rejects.toMatchObject({
    rejection: { reason: 'conflict', kind: 'unworkable', detail: expect.stringContaining('2000 tools') },
  });
  expect(made()).toBe(11);
});

test('a tool that the operator does not allow is refused as such, before any server is asked', async () => {
  const asked: string[] = [];
  const tools: RunTools = {
    ...NO_TOOLS,
    requireAllowed: (_server, tool) => {
      if (tool === 'act_2') throw unavailable('No.', { kind: 'tool_not_offered', because: 'tool_not_allowed' });
    },
    list: async (server) => {
      asked.push(server);
      return [];
    },
  };
  await expect(offerTools(['other/*', 'api/act_2'], tools)).rejects.toMatchObject({
    rejection: { because: 'tool_not_allowed' },
  });
  expect(asked).toEqual([]);
});

test('a tool that its server does not list is refused with the one that was meant', async () => {
  await expect(offerTools(['api/actt_1'], given(3).tools)).rejects.toMatchObject({
    rejection: { because: 'tool_not_listed', detail: expect.stringContaining('Did you mean act_1?') },
  });
});
