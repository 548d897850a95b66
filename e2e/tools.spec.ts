// The tools place against real servers: the file system server of the MCP project as a program, an HTTP API on the
// loopback, and an address where nobody is.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { serveLoopback } from '../server/test/index.ts';
import { FILES_SERVER } from './files.ts';
import { expect, expectAccessible, makeDesk, openRow, send, test as studio } from './studio.ts';
import { typeInto } from './writing.ts';

const ORDER = {
  type: 'object',
  required: ['sku'],
  properties: { sku: { type: 'string' }, count: { type: 'integer' } },
};
const SHOP = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders': {
      get: {
        operationId: 'list_orders',
        summary: 'Lists the orders of the shop.',
        responses: { 200: { description: 'The orders.' } },
      },
      post: {
        operationId: 'place_order',
        summary: 'Places an order.',
        requestBody: { required: true, content: { 'application/json': { schema: ORDER } } },
        responses: { 200: { description: 'The order.' } },
      },
    },
  },
};

/** A red dot. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

interface Shop {
  shop: { address: string; orders: string[] };
}

const test = studio.extend<Shop>({
  shop: async ({}, use) => {
    const orders: string[] = [];
    const served = await serveLoopback((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        if (request.method === 'POST') orders.push(body);
        const answer =
          request.url === '/openapi.json'
            ? SHOP
            : request.method === 'POST'
              ? { placed: true }
              : orders.map((order, index) => ({ id: index + 1, order }));
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
    });
    await use({ address: served.address, orders });
    await served.close();
  },
});

async function givenDesk(address: string): Promise<void> {
  await makeDesk(address);
}

function configure(dataDir: string, shop: string): string {
  const folder = path.join(dataDir, 'documents');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'note.txt'), 'The gull was released.\nIt flew off.');
  writeFileSync(path.join(folder, 'gull.png'), Buffer.from(PNG, 'base64'));
  const config = {
    tool_servers: {
      files: {
        type: 'stdio',
        command: process.execPath,
        args: [FILES_SERVER, folder],
        allowed: ['read_*', 'list_*', 'write_file'],
      },
      shop: { type: 'openapi', document: `${shop}/openapi.json` },
      gone: { type: 'mcp', url: 'http://127.0.0.1:9/mcp' },
    },
  };
  writeFileSync(path.join(dataDir, 'cuebook.yaml'), JSON.stringify(config));
  return folder;
}

test('servers appear when they are configured; tools are searched, and the address contains the search', async ({
  page,
  server,
  shop,
  complaints,
}) => {
  await givenDesk(server.address);
  await page.goto(`${server.address}/#/playbooks/desk`);
  await expect(page.getByRole('heading', { name: 'Desk' })).toBeVisible();
  await page.getByRole('link', { name: 'Tools' }).click();
  await expect(page.getByText('No tool servers yet')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Add a connection' })).toHaveAttribute(
    'href',
    '/#/playbooks/desk/connections',
  );
  await expect(page.getByLabel('Configuration for cuebook.yaml', { exact: true })).toContainText('server-filesystem');
  await expectAccessible(page);

  configure(server.dataDir, shop.address);
  const tools = page.getByRole('table', { name: 'Tools' });
  await expect(tools).toContainText('place_order');
  const servers = page.getByRole('region', { name: 'Servers' });
  await expect(servers).toContainText('The server does not respond at its address');
  await expect(servers.getByRole('listitem').filter({ hasText: 'shop' })).toContainText('2 tools');
  await expectAccessible(page);

  await typeInto(page.getByRole('textbox', { name: 'Search tools' }), 'read text');
  await expect(page).toHaveURL(/terms=read(%20|\+)text/);
  await expect(tools.getByRole('row').nth(1)).toContainText('read_text_file');
  await page.getByText('May make changes', { exact: true }).first().click();
  await expect(page).toHaveURL(/only=write/);
  await servers.getByRole('button', { name: /^shop/ }).click();
  await expect(page).toHaveURL(/server=shop/);
  await expect(page.getByText('No matching tools')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Search tools' })).toHaveValue('read text');
  await page.getByRole('button', { name: 'Show all tools' }).click();
  await expect(page.getByRole('textbox', { name: 'Search tools' })).toHaveValue('');
  await expect(tools).toContainText('list_orders');
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Tools', exact: true }).click();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /^files\// })).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a read-only tool is called immediately, its errors are outcomes, and the history lists each call', async ({
  page,
  server,
  shop,
  complaints,
}) => {
  await givenDesk(server.address);
  const folder = configure(server.dataDir, shop.address);
  await page.goto(`${server.address}/#/playbooks/desk/tools`);
  await openRow(page.getByRole('row', { name: /^read_text_file/ }));
  await expect(page.getByText('Written by the server files')).toBeVisible();
  await expect(page.getByText('No calls yet.')).toBeVisible();
  const result = page.getByRole('region', { name: 'Result' });
  const bench = page.getByRole('region', { name: 'Arguments' });

  // One draft, in the form and as JSON.
  await typeInto(bench.getByRole('textbox', { name: 'path' }), path.join(folder, 'note.txt'));
  await bench.getByText('JSON', { exact: true }).click();
  await expect(bench.getByRole('textbox', { name: 'Input as JSON' })).toHaveValue(/note\.txt/);
  await page.getByRole('button', { name: 'Validate' }).click();
  await expect(result).toContainText("The arguments match the tool's schema.");

  // Its server says that it only reads: it is called without asking again.
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(result).toContainText('The gull was released.');
  const history = page.getByRole('region', { name: 'History' });
  await expect(history.getByRole('row', { name: /Result/ })).toContainText('developer');
  await expectAccessible(page);

  // What is half written is not sent, as nobody sees the arguments that it would be sent with.
  await typeInto(bench.getByRole('textbox', { name: 'Input as JSON' }), '{ "path": ');
  await expect(page.getByRole('button', { name: 'Execute' })).toBeDisabled();
  await expect(bench.getByRole('radio', { name: 'Form' })).toBeDisabled();
  await page.keyboard.press('ControlOrMeta+Enter');

  // It is still there after another page was shown.
  await page.getByRole('link', { name: 'All tools' }).click();
  await openRow(page.getByRole('row', { name: /^read_text_file/ }));
  await expect(bench.getByRole('textbox', { name: 'Input as JSON' })).toHaveValue('{ "path": ');
  await page.reload();
  await expect(bench.getByRole('textbox', { name: 'Input as JSON' })).toHaveValue('{ "path": ');
  await expect(page.getByRole('button', { name: 'Execute' })).toBeDisabled();

  // A tool's own error is an outcome, and stands in the history too.
  await typeInto(bench.getByRole('textbox', { name: 'Input as JSON' }), '{ "path": "/nowhere/else" }');
  await page.getByRole('button', { name: 'Execute' }).click();
  await expect(result).toContainText('Tool error');
  await expect(history.getByRole('row', { name: /Tool error/ })).toBeVisible();
  await expect(history.getByRole('row')).toHaveCount(3);
  // The keys of lists go through it: the newest call, then the one before.
  await page.getByRole('button', { name: 'Execute' }).focus();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(history.getByRole('row', { name: /Result/ }).getByRole('link')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('The gull was released.');
  await page.goBack();
  await openRow(history.getByRole('row', { name: /Result/ }));
  await expect(page.getByRole('dialog')).toContainText('The gull was released.');
  await page.goBack();
  await expect(bench.getByRole('textbox', { name: 'path' })).toHaveValue('/nowhere/else');
  expect(complaints).toEqual([]);
});

test('text is shown line by line and images are displayed, in the result and in the recorded call', async ({
  page,
  server,
  shop,
  complaints,
}) => {
  await givenDesk(server.address);
  const folder = configure(server.dataDir, shop.address);
  const at = `${server.address}/#/playbooks/desk/tools/files`;
  const result = page.getByRole('region', { name: 'Result' });
  const field = page.getByRole('region', { name: 'Arguments' }).getByRole('textbox', { name: 'path' });
  await page.goto(`${server.address}/#/playbooks/desk/tools`);
  await openRow(page.getByRole('row', { name: /^read_text_file/ }));
  await typeInto(field, path.join(folder, 'note.txt'));
  await page.keyboard.press('ControlOrMeta+Enter');
  const text = result.getByLabel('Text of the result');
  await expect(text).toHaveText('The gull was released.\nIt flew off.', { useInnerText: true });

  await page.goto(`${at}/read_media_file`);
  await typeInto(field, path.join(folder, 'gull.png'));
  await page.keyboard.press('ControlOrMeta+Enter');
  const image = page.getByRole('img', { name: 'Image 1 of the result: image/png, 70 bytes' });
  await expect(image).toHaveJSProperty('naturalWidth', 1);
  await expectAccessible(page);
  await openRow(page.getByRole('region', { name: 'History' }).getByRole('row', { name: /Result/ }));
  await expect(page.getByRole('dialog').getByRole('img', { name: /^Image 1/ })).toHaveJSProperty('naturalWidth', 1);
  expect(complaints).toEqual([]);
});

test('arguments are corrected, a tool that may make changes is called after a confirmation, and a list is a table', async ({
  page,
  server,
  shop,
  complaints,
}) => {
  await givenDesk(server.address);
  configure(server.dataDir, shop.address);
  const at = `${server.address}/#/playbooks/desk/tools`;
  await page.goto(at);
  await page.getByRole('link', { name: 'place_order' }).click();
  const result = page.getByRole('region', { name: 'Result' });

  // Nothing is written yet.
  await page.getByRole('button', { name: 'Validate' }).click();
  await expect(result).toContainText('The arguments do not match the schema.');
  await expect(result).toContainText('is missing the required field body');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Dry run' }).click();
  await expect(result).toContainText('Execute would call the tool now.');
  await expect(result).toContainText('The arguments do not match the schema.');
  await expectAccessible(page);
  await typeInto(page.getByRole('region', { name: 'Arguments' }).getByRole('textbox', { name: 'sku' }), 'gull-1');
  await page.getByRole('button', { name: 'Validate' }).click();
  await expect(result).toContainText("The arguments match the tool's schema.");

  await page.getByRole('button', { name: 'Execute' }).click();
  const asked = page.getByRole('dialog', { name: 'Call shop/place_order?' });
  await expect(asked).toContainText('gull-1');
  await expectAccessible(page);
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expect(asked).toBeHidden();
  expect(shop.orders).toEqual([]);
  await page.getByRole('button', { name: 'Execute' }).click();
  await asked.getByRole('button', { name: 'Call the tool' }).click();
  await expect(result).toContainText('"placed": true');
  expect(shop.orders).toEqual(['{"sku":"gull-1"}']);

  await page.goto(`${at}/shop/list_orders`);
  await page.getByRole('button', { name: 'Execute' }).click();
  await expect(result.getByRole('columnheader', { name: 'order' })).toBeVisible();
  await expect(result.getByRole('cell', { name: '{"sku":"gull-1"}' })).toBeVisible();
  await expectAccessible(page);

  await page.goto(`${at}/shop/cancel_order`);
  await expect(page.getByText('has no tool cancel_order')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('the history of a tool goes back to its first recorded call', async ({ page, server, shop }) => {
  await givenDesk(server.address);
  configure(server.dataDir, shop.address);
  const calling = `/playbooks/desk/tool-servers/shop/tools/list_orders/execute`;
  await expect
    .poll(() =>
      send(server.address, calling, { arguments: {} }).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  for (let call = 0; call < 104; call += 1) await send(server.address, calling, { arguments: {} });
  await page.goto(`${server.address}/#/playbooks/desk/tools/shop/list_orders`);
  const history = page.getByRole('region', { name: 'History' });
  await expect(history.getByRole('row')).toHaveCount(101);
  await history.getByRole('button', { name: 'Show earlier calls' }).click();
  await expect(history.getByRole('row')).toHaveCount(106);
  await expect(history.getByRole('button', { name: 'Show earlier calls' })).toBeHidden();
});
