// An agent adds a connection over MCP, a person approves it in a browser, the agent uses its tool.
import { Client } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { findChromium, launchChromium, textsInMemory } from '../scripts/chromium.ts';
import type { JsonObject } from '../shared/json.ts';
import { startServerProcess, temporaryFolder } from '../server/test/index.ts';
import { serveNewest } from '../server/domain/tools/mcp-servers.testing.ts';

// As the journeys do, these need a browser, and `npm run e2e` ends well where there is none.
const isBrowserThere = findChromium() !== undefined;
const VALUE = 'canary-of-the-browser-1';

async function givenAgent(address: string) {
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', address)));
  onTestFinished(() => client.close());
  return async (name: string, args: JsonObject): Promise<JsonObject> => {
    const { structuredContent, isError, content } = await client.callTool({ name, arguments: args });
    if (isError === true) throw new Error(JSON.stringify(content));
    return structuredContent as JsonObject;
  };
}

async function givenWorld() {
  const folder = temporaryFolder();
  const mcp = await serveNewest();
  const server = await startServerProcess(folder.path, { environment: { LOG_LEVEL: 'trace' } });
  const browser = await launchChromium();
  onTestFinished(async () => {
    await browser.close();
    await server.end('SIGTERM');
    folder.remove();
  });
  const agent = await givenAgent(server.address);
  await agent('create_playbook', { playbook: 'desk', name: 'Desk' });
  const added = await agent('add_connection', {
    name: 'sums',
    kind: 'mcp',
    entry: { url: mcp.url.href },
    credential: { kind: 'secret', name: 'x-api-key', in: 'header' },
  });
  const { url } = added['connect'] as { url: string };
  return { mcp, server, browser, agent, url, token: new URL(url).searchParams.get('token') ?? 'none' };
}

type World = Awaited<ReturnType<typeof givenWorld>>;

/** What a page asked for and complained of. */
function watch(page: Page) {
  const seen: { url: string; referer: string | undefined }[] = [];
  const faults: string[] = [];
  page.on('request', (request) => void seen.push({ url: request.url(), referer: request.headers()['referer'] }));
  page.on('console', (message) => void faults.push(message.text()));
  return { seen, faults };
}

async function expectUsed({ mcp, server, agent, token }: World): Promise<void> {
  const called = await agent('execute', { playbook: 'desk', server: 'sums', tool: 'add', arguments: { a: 2, b: 3 } });
  expect(called).toMatchObject({ outcome: 'result', text: '5' });
  expect(mcp.seen.at(-1)?.headers['x-api-key']).toBe(VALUE);
  const { connections } = (await agent('list_connections', {})) as { connections: JsonObject[] };
  expect(connections).toMatchObject([
    { name: 'sums', status: 'connected', asked_by: 'mcp:agent', credential_ends_with: 'er-1' },
  ]);
  for (const secret of [token, VALUE]) expect(server.stderr()).not.toContain(secret);
}

test.skipIf(!isBrowserThere)(
  'a tool server is added by an agent and connected by a person in the studio, whose memory keeps nothing of what was given (needs Chromium)',
  async () => {
    const world = await givenWorld();
    const page = await world.browser.newPage();
    const { seen, faults } = watch(page);
    await page.goto(world.url);
    await page.getByText('Requested by an agent').waitFor();
    expect(await page.getByText('It calls itself').textContent()).toContain('agent');
    expect(await page.textContent('dl')).toContain(world.mcp.url.href);
    const value = page.getByLabel(/^Value/);
    await value.pressSequentially(VALUE);
    // What stands in the field is found: the look is worth something.
    expect((await textsInMemory(page)).includes(VALUE)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByText('return to the agent').waitFor();
    await page.getByText('sums/add').waitFor();
    const texts = await textsInMemory(page);
    expect(texts.includes(VALUE)).toBe(false);
    expect(await page.content()).not.toContain(VALUE);
    expect(page.url()).not.toContain(world.token);
    expect(seen.flatMap(({ referer }) => referer ?? []).join(' ')).not.toContain(world.token);
    expect(seen.every((one) => new URL(one.url).origin === world.server.address)).toBe(true);
    expect(faults).toEqual([]);
    await expectUsed(world);
  },
);

test.skipIf(!isBrowserThere)('the same in a browser without script (needs Chromium)', async () => {
  const world = await givenWorld();
  const context = await world.browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const { seen, faults } = watch(page);
  await page.goto(world.url);
  expect(await page.textContent('main')).toContain('An agent asks, mcp:agent');
  expect(await page.textContent('dl')).toContain(world.mcp.url.href);
  await page.getByLabel('Value').pressSequentially('wrong\u00e4');
  await page.getByRole('button').click();
  expect(await page.getByRole('alert').textContent()).toContain('character');
  await page.getByLabel('Value').pressSequentially(VALUE);
  await page.getByRole('button').click();
  await page.waitForURL('**/connect/done');
  expect(await page.textContent('h1')).toBe('Connected');
  expect(await page.content()).not.toContain(VALUE);
  expect(page.url()).not.toContain(world.token);
  expect(seen.map(({ referer }) => referer)).toEqual(seen.map(() => undefined));
  expect(seen.every((one) => new URL(one.url).origin === world.server.address)).toBe(true);
  // The browser tells of the form that was sent back, and of nothing else.
  expect(faults.filter((text) => !text.includes('422'))).toEqual([]);
  await expectUsed(world);
});
