import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Call, Callable } from '../../operations/index.ts';
import { createDefinitionTools } from './definition-tools.ts';

const definition = (type: string, name: string) => ({
  type,
  name,
  status: 'active',
  description: 'x'.repeat(100),
  input_schema: { type: 'object', description: 'x'.repeat(100_000) },
  details: { expose: true },
});

function toolsOf(definitions: ReturnType<typeof definition>[]) {
  const listing = {
    authorize() {},
    execute: async (_call: Call, { type }: { type: string }) => ({
      definitions: Readable.from(definitions.filter((one) => one.type === type)),
    }),
  };
  return createDefinitionTools(new Map([['list_definitions', listing as unknown as Callable]]));
}

test('the tools of definitions are listed in pages of at most 512 KiB, each once', async () => {
  const computations = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => definition('computation', name));
  const tools = toolsOf([...computations, definition('workflow', 'a'), definition('workflow', 'b')]);
  const pages: string[][] = [];
  for (let after: string | undefined; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- a page is asked for with the last tool of the one before
    const page = await tools.list({} as Call, 'desk', after);
    pages.push(page.tools.map(({ name }) => name));
    after = page.tools.at(-1)?.name;
    if (!page.hasMore) break;
  }
  expect(pages).toEqual([
    ['computation_a', 'computation_b', 'computation_c', 'computation_d', 'computation_e'],
    ['computation_f', 'workflow_a', 'workflow_b'],
  ]);
});

test('a page begins behind a tool that is gone meanwhile', async () => {
  const tools = toolsOf([definition('computation', 'a'), definition('computation', 'c')]);
  const { tools: page } = await tools.list({} as Call, 'desk', 'computation_b');
  expect(page.map(({ name }) => name)).toEqual(['computation_c']);
});
