import type { IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import type { Page } from '@playwright/test';
import Database from 'better-sqlite3';
import { serveLoopback } from '../server/test/index.ts';
import { expect, expectAccessible, goTo, makeDesk, openRow, send, sendRefused, test as base } from './studio.ts';
import { typeInto } from './writing.ts';

const VALUE = 'canary-of-the-page-0123456789';
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Weather', version: '1' },
  paths: { '/now': { get: { operationId: 'now', summary: 'The weather now.', responses: {} } } },
};

interface Api {
  address: string;
  seen: IncomingHttpHeaders[];
}

const test = base.extend<{ api: Api }>({
  api: async ({}, use) => {
    const seen: IncomingHttpHeaders[] = [];
    const served = await serveLoopback((request, response) => {
      if (request.url === '/openapi.json') return void response.end(JSON.stringify(DOCUMENT));
      seen.push(request.headers);
      response.setHeader('content-type', 'application/json').end('{"sky":"clear"}');
    });
    await use({ address: served.address, seen });
    await served.close();
  },
});

async function openDesk(page: Page, address: string): Promise<void> {
  await makeDesk(address);
  await page.goto(`${address}/#/playbooks/desk/runs`);
  await expect(page.getByRole('heading', { name: 'Runs', exact: true })).toBeVisible();
}

const weather = (api: Api, credential: object = { kind: 'secret', name: 'x-api-key', in: 'header' }) => ({
  name: 'weather',
  kind: 'openapi',
  entry: { document: `${api.address}/openapi.json`, base_url: api.address },
  credential,
});

async function addWeather(address: string, api: Api, credential?: object): Promise<string> {
  const { connect } = await send(address, '/connections', weather(api, credential));
  return (connect as { url: string }).url;
}

const CALL = '/playbooks/desk/tool-servers/weather/tools/now/execute';

test('a person adds an API, enters its key, uses its tool, and removes it', async ({
  page,
  server,
  api,
  complaints,
}) => {
  await openDesk(page, server.address);
  await goTo(page, 'c');
  await expect(page.getByText('No connections yet')).toBeVisible();
  await page.getByRole('button', { name: 'Add a connection' }).first().click();

  const form = page.getByRole('dialog', { name: 'Add a connection' });
  await typeInto(form.getByRole('textbox', { name: 'Name', exact: true }), 'the weather');
  await form.getByText('HTTP API').click();
  await typeInto(form.getByRole('textbox', { name: 'OpenAPI document' }), 'http://weather.example.com/openapi.json');
  await form.getByText('More:').click();
  await form.getByRole('button', { name: 'Add a header' }).click();
  await typeInto(form.getByRole('textbox', { name: 'Name of header 1' }), 'x-api-key');
  await typeInto(form.getByRole('textbox', { name: 'Value of header 1' }), 'not-kept-0123456789');
  await form.getByRole('button', { name: 'Add and review' }).click();
  await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await typeInto(form.getByRole('textbox', { name: 'Name', exact: true }), 'weather');
  await form.getByRole('button', { name: 'Add and review' }).click();
  await expect(form.getByRole('textbox', { name: 'OpenAPI document' })).toHaveAttribute('aria-invalid', 'true');
  await expect(form.getByRole('alert')).toContainText('looks like a credential');
  await expectAccessible(page);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('not-kept');

  // What was written outlives a reload, but for what may be a credential.
  await page.reload();
  await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('weather');
  await expect(form.getByRole('textbox', { name: 'Value of header 1' })).toHaveValue('');
  await form.getByRole('button', { name: 'Use header 1 as credential' }).click();
  await expect(form.getByRole('textbox', { name: 'Header name' })).toHaveValue('x-api-key');
  await typeInto(form.getByRole('textbox', { name: 'OpenAPI document' }), `${api.address}/openapi.json`);
  await typeInto(form.getByRole('textbox', { name: 'API address' }), api.address);
  await form.getByRole('button', { name: 'Add and enter credential' }).click();

  await expect(page.getByRole('heading', { name: 'Connect weather' })).toBeVisible();
  await expect(page.getByText('Added by developer')).toBeVisible();
  await expect(page.getByRole('timer')).toHaveText(/^\d:\d\d left$/);
  const value = page.getByLabel(/^Value/);
  await expect(value).toHaveAttribute('type', 'password');
  await expect(value).toHaveAttribute('autocomplete', 'off');
  await typeInto(value, 'wr\u00f6ng');
  await page.getByRole('button', { name: 'Save and connect' }).click();
  await expect(page.getByText('The value contains a character that cannot be sent')).toBeVisible();
  await expect(value).toHaveValue('');
  await expect(value).toBeFocused();
  await expectAccessible(page);
  await typeInto(value, VALUE);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'weather is connected' })).toBeVisible();
  await expect(page.getByText('weather/now')).toBeVisible();
  expect(page.url()).not.toContain('token');
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(VALUE);

  expect(await send(server.address, CALL, {})).toMatchObject({ outcome: 'result', answer: { sky: 'clear' } });
  expect(api.seen.at(-1)?.['x-api-key']).toBe(VALUE);

  await page.getByRole('link', { name: 'Connections', exact: true }).click();
  const list = page.getByRole('table', { name: 'Connections' });
  const details = page.getByRole('dialog', { name: 'weather' });
  await expect(details).toContainText('6789');
  await details.getByRole('button', { name: 'Remove…' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No connections yet')).toBeVisible();
  await page.getByRole('switch', { name: 'Show removed' }).check();
  await expect(list).toContainText('Removed');
  await expect(page).toHaveURL(/removed=true/);
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test('a link opens the page and works once, and its token is in no referrer', async ({
  page,
  server,
  api,
  complaints,
}) => {
  await openDesk(page, server.address);
  const url = await addWeather(server.address, api, { kind: 'none' });
  const token = new URL(url).searchParams.get('token') ?? 'none';
  const seen: { url: string; referer: string | undefined }[] = [];
  page.on('request', (request) => void seen.push({ url: request.url(), referer: request.headers()['referer'] }));
  await page.goto(url);
  await expect(page.getByRole('heading', { name: 'Connect weather' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/');
  expect(new URL(page.url()).search).toBe('');
  await page.reload();
  await page.getByRole('button', { name: 'Approve and connect' }).click();
  await expect(page.getByText('1 tool, ready to use')).toBeVisible();
  await expectAccessible(page);
  expect(page.url()).not.toContain(token);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Connect weather' })).toBeHidden();
  expect(seen.flatMap(({ referer }) => referer ?? []).filter((referer) => referer.includes(token))).toEqual([]);

  await page.goto(url);
  await expect(page.getByRole('heading', { name: 'The link no longer works' })).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${server.address}/#/connect?server=https://other.example.com&org=local&connection=a&token=b`);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Link for another server' })).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a rejected connection is removed, a pending one shows the time left, and a broken one what to do', async ({
  page,
  server,
  api,
  complaints,
}) => {
  await openDesk(page, server.address);
  await page.goto(await addWeather(server.address, api, { kind: 'none' }));
  await page.getByRole('button', { name: 'Reject and remove' }).click();
  await expect(page.getByText('Connection removed')).toBeVisible();

  const link = new URL(await addWeather(server.address, api)).searchParams;
  const given = { token: link.get('token'), value: VALUE };
  await send(server.address, `/connections/${link.get('connection')}/credential`, given);
  const database = new Database(path.join(server.dataDir, 'cuebook.db'));
  database.prepare(`UPDATE sealed_values SET sealed = 'AAAA' || substr(sealed, 5)`).run();
  database.close();
  expect(await sendRefused(server.address, CALL, {})).toMatchObject({ because: 'connection_broken' });
  await send(server.address, '/connections', { ...weather(api), name: 'later' });

  await page.goto(`${server.address}/#/playbooks/desk/connections`);
  const list = page.getByRole('table', { name: 'Connections' });
  await expect(list).toContainText('Waiting for approval');
  await expect(list).toContainText('Broken');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'later' }).getByRole('timer')).toHaveText(/left$/);
  await page.keyboard.press('Escape');
  await openRow(list.getByRole('row', { name: /^weather/ }));
  const details = page.getByRole('dialog', { name: 'weather' });
  await expect(details).toContainText('can no longer be read');
  await expectAccessible(page);
  await details.getByRole('button', { name: 'Remove and add again…' }).click();
  await page.getByRole('button', { name: 'Remove and add again', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Add a connection' });
  await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('weather');
  await expect(form.getByRole('textbox', { name: 'Header name' })).toHaveValue('x-api-key');
  expect(complaints).toEqual([]);
});

test('the configuration for an agent is copied, and the endpoint lists its tools', async ({
  page,
  server,
  complaints,
}) => {
  await openDesk(page, server.address);
  await goTo(page, 'a');
  await expect(page.getByRole('heading', { name: 'Connect an agent' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'VS Code' }).click();
  await page.getByText('Only desk').click();
  await page.getByText('Read-only tools').click();
  await expect(page).toHaveURL(/client=vscode/);
  await expect(page.getByRole('region', { name: 'Configuration' })).toContainText('"--read"');
  await page.getByRole('button', { name: 'Copy configuration' }).click();
  await expect(page.getByText('Copied: configuration')).toBeVisible();
  const copied = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()'));
  const { command, args } = copied.servers['cuebook-desk'];
  expect([command, ...args]).toEqual(expect.arrayContaining([server.dataDir, 'mcp', '--playbook', 'desk']));
  await expect(page.getByRole('link', { name: 'Add to VS Code' })).toHaveAttribute('href', /^vscode:mcp\/install\?/);
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText(/^Connected: \d+ tools$/)).toBeVisible();
  await expect(page.getByText('list_runs')).toBeVisible();
  await page.getByRole('tab', { name: 'Other' }).click();
  await expect(page.getByText(`${server.address}/mcp?tools=read`)).toBeVisible();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});
