// HTTP APIs with an OpenAPI document, on the loopback, for tests.
import type { IncomingMessage, RequestListener } from 'node:http';
import type { JsonObject } from '../../../shared/json.ts';
import { serveHttp } from '../../lib/http-client/testing.ts';

export interface TestApi {
  /** The API's own; its document is at `openapi.json`. */
  url: URL;
  seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
}

/** An API that gives its document at /openapi.json, and answers everything else so. */
export async function serveApi(document: JsonObject, answer: RequestListener): Promise<TestApi> {
  const seen: TestApi['seen'] = [];
  const url = await serveHttp(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    if (request.url?.startsWith('/openapi.json') === true) response.end(JSON.stringify(document));
    else answer(request, response);
  });
  return { url, seen };
}

/** Operations by their name; each has a path of its own. */
export function documentOf(
  operations: Readonly<Record<string, { method?: string; [member: string]: unknown }>>,
): JsonObject {
  const paths = Object.entries(operations).map(([operationId, { method = 'get', ...operation }]) => [
    `/${operationId}`,
    { [method]: { operationId, responses: {}, ...operation } },
  ]);
  return { openapi: '3.1.0', info: { title: 'API', version: '1' }, paths: Object.fromEntries(paths) as JsonObject };
}

/** The entry of an API in the configuration. */
export function entryOf({ url }: Pick<TestApi, 'url'>, more: JsonObject = {}): JsonObject {
  return { type: 'openapi', document: new URL('openapi.json', url).href, base_url: url.href, ...more };
}
