// The static documentation, on a web server that knows nothing of it, below a path.
import { createReadStream, existsSync } from 'node:fs';
import path from 'node:path';
import { writeSite } from '../scripts/site/index.ts';
import { readPages } from '../server/interfaces/documentation/index.ts';
import { DOCUMENTATION_FOLDERS } from '../server/runtime/resources.ts';
import { type LoopbackServer, serveLoopback, temporaryFolder } from '../server/test/index.ts';
import { expect, test, violationsIn } from './studio.ts';

const BASE = '/some/where/';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.webp': 'image/webp',
};

const folder = temporaryFolder();
let server: LoopbackServer;
test.beforeAll(async () => {
  await writeSite(folder.path, readPages(DOCUMENTATION_FOLDERS));
  server = await serveLoopback((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const file = path.join(folder.path, pathname.slice(BASE.length).replace(/(^|\/)$/, '$1index.html'));
    if (!pathname.startsWith(BASE) || !existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'text/plain' });
    createReadStream(file).pipe(response);
  });
});
test.afterAll(async () => {
  await server.close();
  folder.remove();
});

test('a reader searches with the keyboard, and opens a page', async ({ page }) => {
  const faults: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(`${server.address}${BASE}guides/workflow.html`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search' }).click();
  await page.keyboard.type('wait for a person');
  await expect(page.getByRole('status')).toHaveText(/^\d+ pages$/);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect((await violationsIn(page, {})).map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  }
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('zzzzqqqq');
  await expect(page.getByRole('status')).toHaveText('No page matches.');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('back up');
  await expect(page.getByRole('link', { name: 'Backup, restore and durability' }).first()).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`${BASE}.+\\.html$`));
  await page.getByRole('link', { name: 'Cuebook documentation' }).click();
  await expect(page).toHaveURL(`${server.address}${BASE}index.html`);
  await page.getByRole('main').getByRole('link', { name: 'Tutorial' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(faults).toEqual([]);
});
