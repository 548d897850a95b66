// What the build left, and how it is served.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Page, Response } from '@playwright/test';
import { KIB } from '../shared/product.ts';
import { pageIdle } from '../scripts/chromium.ts';
import { expect, test } from './studio.ts';

const BUILT = new URL('../dist/studio/', import.meta.url);
/** Bytes, gzipped, of everything that a browser loads to show a page. */
const MOST = 200 * KIB;

/** What the page loads from its address on, what it asks the service about aside. */
async function loadedBy(page: Page, address: string, path: string): Promise<{ name: string; bytes: number }[]> {
  const responses: Response[] = [];
  page.on('response', (response) => responses.push(response));
  await page.goto(`${address}/#${path}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await pageIdle(page);
  const files = responses.filter((response) => !response.url().includes('/v1/'));
  return Promise.all(
    files.map(async (response) => ({
      name: new URL(response.url()).pathname,
      bytes: gzipSync(await response.body()).length,
    })),
  );
}

const FIRST_PAGES = [
  { name: 'with nothing there yet', hasSample: false, path: '/' },
  { name: 'of a playbook', hasSample: true, path: '/playbooks/wildlife-strikes' },
];
for (const { name, hasSample, path } of FIRST_PAGES) {
  test.describe(() => {
    test.use({ hasSample });
    test(`the first page ${name} loads little, and no editor`, async ({ page, server }) => {
      const loaded = await loadedBy(page, server.address, path);
      expect(loaded.length).toBeGreaterThan(20);
      const heaviest = loaded.toSorted((a, b) => b.bytes - a.bytes).slice(0, 10);
      expect(
        loaded.reduce((sum, { bytes }) => sum + bytes, 0),
        JSON.stringify(heaviest),
      ).toBeLessThan(MOST);
      expect(readFileSync(new URL('index.html', BUILT), 'utf8')).not.toMatch(/<script(?![^>]+src=)/);
    });
  });
}

test('the page is revalidated every time, its assets are cached, and nothing else may load', async ({
  page,
  server,
}) => {
  const loaded: { url: string; headers: Record<string, string> }[] = [];
  page.on('response', (response) => loaded.push({ url: response.url(), headers: response.headers() }));
  await page.goto(`${server.address}/`);
  await expect(page.getByRole('button', { name: 'Try the sample' })).toBeVisible();
  expect(loaded.map(({ url }) => new URL(url).origin).filter((origin) => origin !== server.address)).toEqual([]);
  expect(loaded[0]?.headers['cache-control']).toBe('no-cache');
  expect(loaded[0]?.headers['content-security-policy']).toContain("script-src 'self'");
  const assets = loaded.filter(({ url }) => url.includes('/assets/'));
  expect(assets.length).toBeGreaterThan(2);
  for (const { headers } of assets) expect(headers['cache-control']).toContain('immutable');
  const transferred = assets.reduce((sum, { headers }) => sum + Number(headers['content-length']), 0);
  expect(transferred).toBeLessThan(MOST * 5);
  const missing = await page.request.get(`${server.address}/assets/missing.js`);
  expect(missing.status()).toBe(404);
});
