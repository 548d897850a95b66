// An invoice API and its OpenAPI document.
import type { RequestListener } from 'node:http';
import type { JsonObject } from '../../../shared/json.ts';
import { CANARY_KEY } from '../../test/index.ts';
import type { TestApi } from './api.testing.ts';

export const TOKEN = CANARY_KEY;
export const environment = { TOKEN };

export const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Billing', version: '1' },
  paths: {
    '/invoices/{id}': {
      get: {
        operationId: 'get_invoice',
        summary: 'Reads an invoice',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'fields', in: 'query', schema: { type: 'array', items: { type: 'string' } }, description: 'Which.' },
          { name: 'key', in: 'query', required: true, schema: { type: 'string' } },
        ],
        responses: { 200: { description: 'ok', content: { 'application/json': {} } } },
      },
    },
    '/invoices': {
      post: {
        operationId: 'create invoice!',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Invoice' } } },
        },
        responses: {},
      },
      delete: { responses: {} },
    },
  },
  components: {
    schemas: {
      Invoice: {
        type: 'object',
        required: ['amount'],
        properties: {
          amount: { type: 'number', minimum: 0, exclusiveMinimum: true },
          note: { type: 'string', nullable: true, example: 'x' },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Invoice' } },
        },
      },
    },
  },
};

export const billing = ({ url }: TestApi, more: JsonObject = {}) => ({
  billing: {
    type: 'openapi',
    document: new URL('openapi.json', url).href,
    base_url: new URL('v1', url).href,
    headers: { Authorization: 'Bearer ${TOKEN}' },
    query_params: { key: '${TOKEN}' },
    request_id: 'X-Request-Id',
    ...more,
  },
});

export const GET = { server: 'billing', tool: 'get_invoice' };

/** For entries that send no credential: what is nobody's secret is not hidden. */
export const done: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"done":true}');
};

export const json: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'req-9' });
  response.end(JSON.stringify({ id: 7, echoed: TOKEN, packed: Buffer.from(`a:${TOKEN}`).toString('base64') }));
};
