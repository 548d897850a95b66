// How the members of forms are written: the Encoding Object of 3.x, its defaults, and `collectionFormat` of 2.0.
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { documentOf, requestOf } from './testing.ts';

const FORM = 'application/x-www-form-urlencoded';
const LIST = ['a b', 'c&d'];
const METADATA = { order: 1, 'gift note': 'x=y' };

async function bodyOf(type: string, media: JsonObject, value: Json, version = '3.0.3'): Promise<string> {
  const document = await documentOf({
    openapi: version,
    servers: [{ url: 'https://api.example' }],
    paths: { '/x': { post: { operationId: 'it', requestBody: { content: { [type]: media } } } } },
    components: {
      schemas: {
        Base: { properties: { tags: { type: 'array', items: { type: 'string' } } } },
        Photo: { contentMediaType: 'image/webp' },
      },
    },
  });
  return String(requestOf(document, 'it', { body: value })['body']);
}

const decoded = (body: string): string => decodeURIComponent(body.replaceAll('+', ' '));

test.each<[JsonObject, Json, string]>([
  [{ style: 'deepObject', explode: true }, METADATA, 'm%5Border%5D=1&m%5Bgift+note%5D=x%3Dy'],
  [{ style: 'deepObject' }, { order: { id: 7 } }, 'm%5Border%5D%5Bid%5D=7'],
  [{ style: 'deepObject' }, [{ price: 'p', quantity: 2 }], 'm%5B0%5D%5Bprice%5D=p&m%5B0%5D%5Bquantity%5D=2'],
  [{ style: 'deepObject' }, { tags: LIST }, 'm%5Btags%5D%5B0%5D=a+b&m%5Btags%5D%5B1%5D=c%26d'],
  [{ style: 'deepObject' }, 'text', 'm=text'],
  [{ style: 'form' }, LIST, 'm=a+b&m=c%26d'],
  [{ style: 'form' }, METADATA, 'order=1&gift+note=x%3Dy'],
  [{ style: 'form', explode: false }, LIST, 'm=a+b,c%26d'],
  [{ explode: false }, LIST, 'm=a+b,c%26d'],
  [{ explode: false }, METADATA, 'm=order,1,gift+note,x%3Dy'],
  [{ style: 'spaceDelimited' }, ['a', 'b'], 'm=a+b'],
  [{ style: 'pipeDelimited' }, ['a', 'b'], 'm=a%7Cb'],
  [{ style: 'pipeDelimited', explode: true }, ['a', 'b'], 'm=a&m=b'],
  [{ allowReserved: true }, 'a/b?c&d+e f', 'm=a/b?c%26d%2Be+f'],
  [{ contentType: 'application/json' }, ['a', 'b'], 'm=%5B%22a%22%2C%22b%22%5D'],
  [{ contentType: 'text/plain' }, ['a', 'b'], 'm=a&m=b'],
  [{}, METADATA, 'm=%7B%22order%22%3A1%2C%22gift+note%22%3A%22x%3Dy%22%7D'],
  [{ style: 'deepObject' }, null, ''],
])('in a form, the encoding %j writes %j as %s', async (encoding, value, body) => {
  expect(await bodyOf(FORM, { encoding: { m: encoding } }, { m: value })).toBe(body);
});

test('each member has its own encoding, and others keep the usual one', async () => {
  const media = {
    schema: { allOf: [{ $ref: '#/components/schemas/Base' }] },
    encoding: { metadata: { style: 'deepObject', explode: true }, tags: { style: 'form', explode: false } },
  };
  const value = { metadata: { order: 1 }, tags: 'one', codes: [1, 2], address: { city: 'Ulm' } };
  expect(decoded(await bodyOf(FORM, media, value))).toBe(
    'metadata[order]=1&tags=one&codes=1&codes=2&address={"city":"Ulm"}',
  );
});

/** Headers after the name, and the text, of each part. */
async function partsOf(media: JsonObject, value: JsonObject, version?: string): Promise<string[]> {
  const body = await bodyOf('multipart/form-data', media, value, version);
  return body
    .split(/--part-[0-9a-f]+(?:--)?\r\n/)
    .filter((part) => part !== '')
    .map((part) => part.replace('Content-Disposition: form-data; ', '').trimEnd().replaceAll('\r\n', '|'));
}

test('in parts, objects are JSON, items are parts of their own, and files have a type', async () => {
  const media = {
    schema: {
      properties: {
        photo: { type: 'string', format: 'binary' },
        scans: { items: { type: 'string', format: 'binary' } },
      },
    },
    encoding: { photo: { contentType: 'image/*, image/png' } },
  };
  expect(
    await partsOf(media, {
      meta: { a: 1 },
      rows: [{ b: 2 }],
      tags: ['x', 1],
      photo: 'bytes',
      scans: ['one'],
      none: null,
    }),
  ).toEqual([
    'name="meta"|Content-Type: application/json||{"a":1}',
    'name="rows"|Content-Type: application/json||{"b":2}',
    'name="tags"||x',
    'name="tags"||1',
    'name="photo"; filename="photo"|Content-Type: image/png||bytes',
    'name="scans"; filename="scans"|Content-Type: application/octet-stream||one',
  ]);
});

test('in parts, an encoding sets a content type or a style', async () => {
  const encoding = {
    rows: { contentType: 'application/vnd.rows+json' },
    note: { contentType: 'text/markdown; charset=utf-8' },
    metadata: { style: 'deepObject', explode: true },
    tags: { style: 'form', explode: false },
  };
  const value = { rows: [1, 2], note: '# Hi', metadata: { order: { id: 1 } }, tags: ['a', 'b'] };
  expect(await partsOf({ encoding }, value, '3.1.0')).toEqual([
    'name="rows"|Content-Type: application/vnd.rows+json||[1,2]',
    'name="note"|Content-Type: text/markdown; charset=utf-8||# Hi',
    'name="metadata[order][id]"||1',
    'name="tags"||a,b',
  ]);
});

test.each<[schema: JsonObject, contentType: string | undefined, value: Json, parts: string[]]>([
  [{ contentMediaType: 'application/pdf' }, undefined, 'x', ['; filename="f"|Content-Type: application/pdf||x']],
  [{ type: 'string', contentMediaType: 'text/csv' }, undefined, 'a,b', ['|Content-Type: text/csv||a,b']],
  [{ contentMediaType: 'image/png', contentEncoding: 'base64' }, undefined, 'AA==', ['|Content-Type: image/png||AA==']],
  [{ type: 'string', contentEncoding: 'base64' }, undefined, 'AA==', ['|Content-Type: application/octet-stream||AA==']],
  [{ contentMediaType: 'application/json' }, undefined, '{"a":1}', ['|Content-Type: application/json||{"a":1}']],
  [
    { type: 'array', items: { $ref: '#/components/schemas/Photo' } },
    undefined,
    ['x', 'y'],
    ['; filename="f"|Content-Type: image/webp||x', '; filename="f"|Content-Type: image/webp||y'],
  ],
  [
    { anyOf: [{ type: 'array', items: { type: 'string', format: 'binary' } }, { type: 'null' }] },
    undefined,
    ['x'],
    ['; filename="f"|Content-Type: application/octet-stream||x'],
  ],
  [{ contentMediaType: 'image/webp' }, 'image/png, image/*', 'x', ['; filename="f"|Content-Type: image/webp||x']],
  [{ contentMediaType: 'image/webp' }, 'application/pdf', 'x', ['; filename="f"|Content-Type: application/pdf||x']],
  [{}, 'image/png, image/jpeg', 'x', ['; filename="f"|Content-Type: image/png||x']],
  [{}, 'image/*', ['x'], ['; filename="f"|Content-Type: application/octet-stream||x']],
  [{ type: 'string' }, 'text/*', 'x', ['|Content-Type: text/plain||x']],
  [{ type: 'string' }, '*/*', 'x', ['||x']],
  [{ type: 'string' }, 'application/json, text/csv', 'x', ['|Content-Type: text/csv||x']],
  [{}, 'text/csv, application/vnd.a+json', { a: 1 }, ['|Content-Type: application/vnd.a+json||{"a":1}']],
  [{ type: 'object' }, 'application/*', { a: 1 }, ['|Content-Type: application/json||{"a":1}']],
])('the part of %j with the content type %j', async (schema, contentType, value, parts) => {
  const encoding = contentType === undefined ? {} : { f: { contentType } };
  expect(await partsOf({ schema: { properties: { f: schema } }, encoding }, { f: value }, '3.1.0')).toEqual(
    parts.map((part) => `name="f"${part}`),
  );
});

test('2.0: a list of files has a part for each', async () => {
  const files = { name: 'files', in: 'formData', type: 'array', items: { type: 'file' }, collectionFormat: 'multi' };
  const document = await documentOf({
    swagger: '2.0',
    host: 'api.example',
    paths: { '/x': { post: { operationId: 'it', parameters: [files] } } },
  });
  const body = String(requestOf(document, 'it', { files: ['one', 'two'] })['body']);
  expect(
    body.match(/name="files"; filename="files"\r\nContent-Type: application\/octet-stream\r\n\r\n\w+/g),
  ).toHaveLength(2);
});

test('a content type of a document cannot add a header', async () => {
  const encoding = { note: { contentType: 'text/plain\r\nX-Other: 1' } };
  expect(await partsOf({ encoding }, { note: 'x' })).toEqual(['name="note"||x']);
});

test('a query with `deepObject` gives indexes to the items of a list that is the value, and to objects in lists', async () => {
  const document = await documentOf({
    openapi: '3.1.0',
    servers: [{ url: 'https://api.example' }],
    paths: {
      '/x': { get: { operationId: 'it', parameters: [{ name: 'filter', in: 'query', style: 'deepObject' }] } },
    },
  });
  const { url } = requestOf(document, 'it', { filter: { any: [{ id: 1 }, { id: 2 }], tags: ['a', 'b'] } });
  expect(decodeURIComponent(String(url))).toBe(
    'https://api.example/x?filter[any][0][id]=1&filter[any][1][id]=2&filter[tags]=a&filter[tags]=b',
  );
  const list = requestOf(document, 'it', { filter: ['data.customer', 'data.invoice'] });
  expect(decodeURIComponent(String(list.url))).toBe(
    'https://api.example/x?filter[0]=data.customer&filter[1]=data.invoice',
  );
});

test.each([
  ['pipes', 'csv', '1,2%7C3,4'],
  ['csv', 'pipes', '1%7C2,3%7C4'],
  ['multi', 'ssv', '1%202&m=3%204'],
])('2.0: lists in a list are joined by %s and %s', async (collectionFormat, inner, text) => {
  const m = {
    name: 'm',
    type: 'array',
    collectionFormat,
    items: { type: 'array', collectionFormat: inner, items: { type: 'integer' } },
  };
  const document = await documentOf({
    swagger: '2.0',
    host: 'api.example',
    paths: {
      '/x': {
        get: { operationId: 'query', parameters: [{ ...m, in: 'query' }] },
        post: { operationId: 'form', parameters: [{ ...m, in: 'formData' }] },
      },
    },
  });
  const value = [
    [1, 2],
    [3, 4],
  ];
  expect(requestOf(document, 'query', { m: value })['url']).toBe(`https://api.example/x?m=${text}`);
  expect(requestOf(document, 'form', { m: value })['body']).toBe(`m=${text.replaceAll('%20', '+')}`);
});
