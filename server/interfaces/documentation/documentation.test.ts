// The documentation service over HTTP, as its part of the contract has it.
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { DOCUMENTATION_FOLDERS } from '../../runtime/resources.ts';
import { createDocumentation, type Documentation, readPages } from './index.ts';

const pages = readPages(DOCUMENTATION_FOLDERS);
let service: Documentation;
let address: string;

beforeAll(async () => {
  service = createDocumentation({
    pages,
    host: '127.0.0.1',
    port: 0,
    address: undefined,
    logger: pino({ level: 'silent' }),
  });
  address = await service.listen();
});
afterAll(() => service.close());

interface PageEntry {
  title: string;
  url: string;
  path: string;
  markdownUrl: string;
  description: string;
  markdown?: string;
}

async function get(path: string, init: RequestInit = {}) {
  const response = await fetch(`${address}${path}`, init);
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

const query = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();

async function found(fields: Record<string, string>): Promise<PageEntry[]> {
  const { status, body } = await get(`/api/docs?${query(fields)}`);
  expect(status).toBe(200);
  return body as PageEntry[];
}

describe('search_auto_docs', () => {
  test('answers pages, best first, each with exactly its fields', async () => {
    const [first, ...more] = await found({ query: 'settings' });
    expect(first).toEqual({
      title: expect.stringMatching(/settings/i),
      path: expect.stringMatching(/settings$/),
      url: `${address}${first?.path}`,
      markdownUrl: `${address}${first?.path}.md`,
      description: expect.stringMatching(/\w/),
    });
    expect(more.length).toBeLessThan(8);
  });

  test('answers 8 pages where nothing is said, and as many as are asked for', async () => {
    expect(await found({ query: 'a' })).toHaveLength(8);
    expect(await found({ query: 'a', limit: '1' })).toHaveLength(1);
    expect(await found({ query: 'a', limit: '20' })).toHaveLength(20);
  });

  test('answers an empty list where nothing is found', async () => {
    expect(await found({ query: 'xyzzyplugh' })).toEqual([]);
  });

  test.each(['a', 'é'.repeat(200), '\u{1F600}'.repeat(200), 'ab '.repeat(66)])(
    'takes 1 to 200 characters',
    async (text) => {
      expect((await get(`/api/docs?${query({ query: text })}`)).status).toBe(200);
    },
  );

  test.each([
    ['workflow', /workflow/i],
    ['flow', /workflow/i],
    ['worfklow', /workflow/i],
    ['cancel_run', /^Operations: Runs$/],
    ['backup', /^Backup, restore and durability$/],
    ['LOG_LEVEL', /settings/i],
  ])('finds what a reader of these pages looks for: %s', async (text, title) => {
    const [first] = await found({ query: text });
    expect(first?.title).toMatch(title);
  });
});

describe('read_auto_doc', () => {
  test('answers every page that there is, by its path, with its Markdown', async () => {
    for (const { path, title, markdown } of pages) {
      const { status, body } = await get(`/api/docs/page?${query({ path })}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ path, title, markdown });
    }
  });

  test.each(['settings', '/settings.md', 'settings.md'])('takes %s for /settings', async (path) => {
    expect((await get(`/api/docs/page?${query({ path })}`)).body).toMatchObject({ path: '/settings' });
  });

  test.each(['', '/', 'README', '/README.md'])('takes %j for the start page', async (path) => {
    expect((await get(`/api/docs/page?${query({ path })}`)).body).toMatchObject({ path: '/' });
  });

  test.each(['/setings', '/reference/nothing', '/../package.json', '/docs/settings', 'x'.repeat(300)])(
    'says of %s that there is no such page',
    async (path) => {
      const { status, body, headers } = await get(`/api/docs/page?${query({ path })}`);
      expect(status).toBe(404);
      expect(headers.get('content-type')).toBe('application/problem+json');
      expect(body).toMatchObject({ type: 'https://cuebook.dev/problems/not_found', reason: 'not_found', status: 404 });
    },
  );

  test('names the page that was likely meant', async () => {
    const { body } = await get(`/api/docs/page?${query({ path: '/setings' })}`);
    expect(body.detail).toBe('There is no page "/setings". Did you mean /settings?');
  });
});

describe('documentation_health', () => {
  test('says that it is up, and how many pages there are', async () => {
    const { status, body } = await get('/health');
    expect([status, body]).toEqual([200, { status: 'ok', pages: pages.length }]);
  });
});

describe('what is wrong is a bad request that names the field', () => {
  test.each([
    ['no query', '/api/docs', '/query'],
    ['an empty query', '/api/docs?query=', '/query'],
    ['a query of 201 characters', `/api/docs?query=${'x'.repeat(201)}`, '/query'],
    ['a limit of 0', '/api/docs?query=a&limit=0', '/limit'],
    ['a limit of 21', '/api/docs?query=a&limit=21', '/limit'],
    ['a limit that is no whole number', '/api/docs?query=a&limit=1.5', '/limit'],
    ['a limit in words', '/api/docs?query=a&limit=many', '/limit'],
    ['an unknown field', '/api/docs?query=a&page=2', '/page'],
    ['no path', '/api/docs/page', '/path'],
    ['a path of 301 characters', `/api/docs/page?path=${'x'.repeat(301)}`, '/path'],
    ['a field where there is none', '/health?deep=true', '/deep'],
  ])('given %s', async (_what, path, pointer) => {
    const { status, body, headers } = await get(path);
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(body).toMatchObject({ type: 'https://cuebook.dev/problems/bad_request', reason: 'bad_request' });
    expect(body.errors.map((error: { pointer: string }) => error.pointer)).toEqual([pointer]);
  });

  test.each([
    ['a field given twice', '/api/docs?query=a&query=b'],
    ['an escape that is not UTF-8', '/api/docs?query=%ff'],
  ])('given %s', async (_what, path) => {
    expect(await get(path)).toMatchObject({ status: 400, body: { reason: 'bad_request' } });
  });

  test('given a method that a path does not take, then it says which it takes', async () => {
    for (const path of ['/api/docs?query=a', '/health', '/openapi.json', '/settings']) {
      const { status, headers, body } = await get(path, { method: 'POST' });
      expect([status, headers.get('allow'), body.reason]).toEqual([405, 'GET, HEAD', 'method_not_allowed']);
    }
  });

  test('given a path where nothing is, then it says where the description is', async () => {
    const { status, body } = await get('/v1/openapi.json');
    expect([status, body.detail]).toEqual([
      404,
      'This path does not exist; /openapi.json lists the paths that do, and /api/docs?query=WORDS finds pages.',
    ]);
  });
});

test('nobody is asked who they are, and no page is kept out', async () => {
  for (const headers of [{ authorization: 'Basic nonsense' }, { origin: 'https://elsewhere.example' }]) {
    expect((await get('/api/docs?query=a', { headers })).status).toBe(200);
    expect((await get('/', { headers })).status).toBe(200);
  }
});

describe('the pages themselves', () => {
  test('stand where search says, as HTML and as Markdown', async () => {
    for (const { url, markdownUrl, title } of await found({ query: 'a', limit: '20' })) {
      const html = await get(url.slice(address.length));
      expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(html.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(html.text).toContain(title.replaceAll('&', '&amp;').slice(0, 10));
      const markdown = await get(markdownUrl.slice(address.length));
      expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    }
  });

  test('pictures are served where the HTML shows them', async () => {
    const html = (await get('/studio')).text;
    const sources = [...html.matchAll(/<img src="([^"]+)"/g)].map(([, source]) => source ?? '');
    expect(sources.length).toBeGreaterThan(20);
    const [first = ''] = sources;
    const picture = await fetch(new URL(first, `${address}/studio`));
    expect(picture.headers.get('content-type')).toBe('image/webp');
    expect(
      Buffer.from(await picture.arrayBuffer())
        .subarray(8, 12)
        .toString(),
    ).toBe('WEBP');
  });

  test('every link of the HTML leads to something that is served', async () => {
    const seen = new Map<string, string>();
    for (const { path } of pages) {
      const here = new URL(path, address);
      for (const [, href = ''] of (await get(path)).text.matchAll(/href="([^"]+)"/g)) {
        const target = new URL(href, here);
        if (target.origin === address) seen.set(target.pathname, path);
      }
    }
    expect(seen.size).toBeGreaterThan(10);
    for (const [target, from] of seen) expect((await get(target)).status, `${target}, from ${from}`).toBe(200);
  });

  test('are kept by those who have them', async () => {
    const { headers } = await get('/settings');
    const again = await get('/settings', { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});

describe('its OpenAPI document', () => {
  test('given an independent validator, then it is valid, of its versions, at its address, and asks for no key', async () => {
    const { body } = await get('/openapi.json');
    const validator = new Validator();
    expect(await validator.validate(structuredClone(body))).toMatchObject({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(body).toMatchObject({ openapi: '3.1.1', info: { version: '1.0.0' }, servers: [{ url: address }] });
    expect(JSON.stringify(body)).not.toContain('"security');
  });

  test('given the contract, then it has the three operations, each with 400 and 404', async () => {
    const { body } = await get('/openapi.json');
    const described = Object.entries(body.paths as Record<string, Record<string, JsonObject>>).map(
      ([path, methods]) => [path, Object.entries(methods).map(([method, { operationId }]) => [method, operationId])],
    );
    expect(described).toEqual([
      ['/api/docs', [['get', 'search_auto_docs']]],
      ['/api/docs/page', [['get', 'read_auto_doc']]],
      ['/health', [['get', 'documentation_health']]],
    ]);
    for (const methods of Object.values(body.paths as Record<string, { get: { responses: object } }>)) {
      expect(Object.keys(methods.get.responses)).toEqual(expect.arrayContaining(['200', '400', '404']));
    }
  });

  test('given an answer, then it fits what the document says of it', async () => {
    const { body } = await get('/openapi.json');
    const ajv = addFormats.default(new Ajv2020({ strict: false }), { mode: 'full' });
    for (const [path, asked] of [
      ['/api/docs', '/api/docs?query=a'],
      ['/api/docs/page', '/api/docs/page?path=/settings'],
      ['/health', '/health'],
    ] as const) {
      const { schema } = body.paths[path].get.responses['200'].content['application/json'];
      const validate = ajv.compile(schema);
      expect(validate((await get(asked)).body), ajv.errorsText(validate.errors)).toBe(true);
    }
    const problem = ajv.compile(body.components.schemas.Problem);
    for (const asked of ['/api/docs', '/api/docs/page?path=/x', '/nowhere']) {
      expect(problem((await get(asked)).body), asked).toBe(true);
    }
  });
});

test('given the address that readers know, then pages and document name it', async () => {
  const published = createDocumentation({
    pages,
    host: '127.0.0.1',
    port: 0,
    address: 'https://docs.example.com/cuebook',
    logger: pino({ level: 'silent' }),
  });
  try {
    const at = await published.listen();
    const [page] = (await (await fetch(`${at}/api/docs?query=settings&limit=1`)).json()) as PageEntry[];
    expect(page?.url).toBe(`https://docs.example.com/cuebook${page?.path}`);
    const document = (await (await fetch(`${at}/openapi.json`)).json()) as JsonObject;
    expect(document['servers']).toEqual([{ url: 'https://docs.example.com/cuebook' }]);
  } finally {
    await published.close();
  }
});
