// What the build left, and how it is served.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from './studio.ts';

const BUILT = new URL('../dist/studio/', import.meta.url);
/** Bytes, gzipped, of all that the first page loads. The design allows 250,000; the rest is room for what comes. */
const MOST = 215_000;

test('the first load stays small, and the editor is no part of it', () => {
  const page = readFileSync(new URL('index.html', BUILT), 'utf8');
  const files = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, file]) => file ?? '');
  expect(files.length).toBeGreaterThan(2);
  const bytes = files.map((file) => gzipSync(readFileSync(new URL(file, BUILT))).length);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(MOST);
  expect(page).not.toMatch(/<script(?![^>]+src=)/);
});

test('the page is asked for every time, its assets never again, and nothing else is allowed to load', async ({
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
