// The routes that describe the service: OpenAPI document, guides, catalog, health and problems.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../../shared/problems.ts';
import { type TestServer } from '../../test/index.ts';
import { sendRawTo, startDesk } from './http-rules.testing.ts';

let server: TestServer;
let port: number;

beforeAll(async () => {
  ({ server, port } = await startDesk());
});

afterAll(() => server.close());

const sendRaw = (lines: readonly string[], body = ''): ReturnType<typeof sendRawTo> => sendRawTo(port, lines, body);

describe('the description routes', () => {
  const cached = ['/v1/openapi.json', '/v1/guides/start', '/.well-known/api-catalog'];

  test.each(cached)('given %s, then it has a strong ETag and is kept for 300 seconds', async (path) => {
    const { headers } = await server.get(path);
    expect(headers.get('etag')).toMatch(/^"[\w-]+"$/);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect((await server.get(path)).headers.get('etag')).toBe(headers.get('etag'));
  });

  test.each(cached)('given the tag of %s in If-None-Match, then it is 304 without a body', async (path) => {
    const tag = (await server.get(path)).headers.get('etag') ?? '';
    for (const asked of [tag, `W/${tag}`, `"other", ${tag}`, `"other",W/${tag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await server.send(method, path, { headers: { 'if-none-match': asked } });
        expect([answer.status, answer.text]).toEqual([304, '']);
        expect(answer.headers.get('etag')).toBe(tag);
        expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
      }
    }
    for (const asked of ['"other"', tag.slice(1, -1), '']) {
      expect((await server.get(path, { 'if-none-match': asked })).status).toBe(200);
    }
  });

  test('given the catalog, then it lists everything at absolute addresses of the origin it was asked at', async () => {
    const head = ['GET /.well-known/api-catalog HTTP/1.1', `Host: localhost:${port}`];
    const answer = await sendRaw([...head, 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https']);
    const origin = `http://localhost:${port}`;
    expect(answer.head).toContain('content-type: application/linkset+json\r\n');
    expect(answer.head).toContain(`link: <${origin}/.well-known/api-catalog>; rel="api-catalog"`);
    const { linkset } = JSON.parse(answer.body) as { linkset: Record<string, unknown>[] };
    expect(linkset).toEqual([
      {
        anchor: `${origin}/v1`,
        'service-desc': [{ href: `${origin}/v1/openapi.json`, type: 'application/json' }],
        'service-doc': expect.arrayContaining([
          { href: `${origin}/v1/guides/start`, type: 'text/markdown', title: expect.stringMatching(/\w/) },
        ]),
        status: [{ href: `${origin}/health`, type: 'application/json' }],
      },
    ]);
  });

  test.each(['evil"><x>', 'a b', 'a/b', 'user@localhost', 'localhost:x', '[::1'])(
    'given the Host %j, then no answer repeats it',
    async (host) => {
      for (const path of ['/.well-known/api-catalog', '/health']) {
        const answer = await sendRaw([`GET ${path} HTTP/1.1`, `Host: ${host}`]);
        expect(answer.status).toBe(400);
        expect(answer.head + answer.body).not.toContain(host);
      }
    },
  );

  test('given each guide of the catalog, then it is Markdown that begins with its title', async () => {
    const { linkset } = (await server.get('/.well-known/api-catalog')).body;
    const guides = linkset[0]['service-doc'] as { href: string; title: string }[];
    expect(guides.length).toBeGreaterThan(0);
    for (const { href, title } of guides) {
      const answer = await server.get(new URL(href).pathname);
      expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(answer.text).toMatch(new RegExp(`^# ${title}`));
    }
  });

  test('given /health, then it says how the server is and links to the catalog, kept by nobody', async () => {
    const answer = await server.get('/health');
    const work = { seconds: expect.any(Number), commits: expect.any(Number), statements: expect.any(Number) };
    expect(answer.body).toEqual({ work, status: 'ok', version: expect.any(String), mode: 'local', store: 'sqlite' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('link')).toBe(`<${server.address}/.well-known/api-catalog>; rel="api-catalog"`);
  });

  test.each(Object.entries(PROBLEMS))('given /problems/%s, then it is explained', async (name, { status, title }) => {
    const answer = await server.get(`/problems/${name}`);
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    for (const part of [`# ${title}`, `\`${name}\``, String(status)]) expect(answer.text).toContain(part);
  });
});
