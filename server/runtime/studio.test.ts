import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { readStudio } from './studio.ts';
import { sendAsset, sendPage } from '../interfaces/http/studio-files.ts';
import { temporaryFolder } from '../test/index.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

test('given no built studio, then the page says how to build it, and nothing else is there', () => {
  const { page, assets, connectScript } = readStudio(path.join(folder.path, 'nowhere'));
  expect(page).toContain('npm run build');
  expect(page).not.toContain('<script');
  expect(assets.size).toBe(0);
  expect(connectScript).toBeUndefined();
});

test('given a built studio, then its page is asked for anew, its assets are kept, and nothing beside them is served', async () => {
  mkdirSync(path.join(folder.path, 'assets'));
  writeFileSync(path.join(folder.path, 'index.html'), '<!doctype html><title>Studio</title>');
  writeFileSync(path.join(folder.path, 'assets/main-abc.js'), 'export {};');
  writeFileSync(path.join(folder.path, 'secret.txt'), 'secret');
  const studio = readStudio(folder.path);
  const app = fastify({ exposeHeadRoutes: true });
  const signInOrigins = { scripts: ['https://sdk.example'], requests: ['https://sdk.example', 'https://id.example'] };
  app.get('/', (request, reply) => sendPage(request, reply, studio));
  app.get('/published', (request, reply) => sendPage(request, reply, { ...studio, signInOrigins }));
  app.get('/assets/:name', (request, reply) => sendAsset(request, reply, studio));

  const page = await app.inject('/');
  expect(page.body).toContain('Studio');
  expect(page.headers).toMatchObject({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' });
  expect(page.headers['content-security-policy']).toContain("script-src 'self';");
  expect(page.headers['content-security-policy']).not.toContain('unsafe-eval');
  const published = await app.inject('/published');
  expect(published.headers['content-security-policy']).toBe(
    String(page.headers['content-security-policy'])
      .replace("script-src 'self'", "script-src 'self' https://sdk.example")
      .replace("connect-src 'self'", "connect-src 'self' https://sdk.example https://id.example"),
  );
  const known = await app.inject({ url: '/', headers: { 'if-none-match': String(page.headers.etag) } });
  expect([known.statusCode, known.body]).toEqual([304, '']);

  const script = await app.inject('/assets/main-abc.js');
  expect(script.body).toBe('export {};');
  expect(script.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': '10',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  for (const name of ['missing.js', '..%2Fsecret.txt', '..%2Findex.html', '%2E%2E%2Fsecret.txt']) {
    const { statusCode, body } = await app.inject(`/assets/${name}`);
    expect(statusCode, name).toBeGreaterThanOrEqual(400);
    expect(body).not.toBe('secret');
  }
  await app.close();
});
