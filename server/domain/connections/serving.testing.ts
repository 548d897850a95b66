// An HTTP API that connections of tests lead to.
import type { JsonObject } from '../../../shared/json.ts';
import { serveHttp } from '../../lib/http-client/testing.ts';
import { NONE } from './connections.testing.ts';

export const CANARY = 'canary-4f1c9b7e2d';

/** An HTTP API that says back what it was sent. */
export async function serveApi(securitySchemes: JsonObject = {}, servers?: JsonObject[]) {
  const seen: { url: string; headers: Record<string, unknown> }[] = [];
  const url = await serveHttp((request, response) => {
    seen.push({ url: request.url ?? '', headers: request.headers });
    response.setHeader('content-type', 'application/json');
    if (request.url?.startsWith('/openapi.json') !== true) {
      return response.end(JSON.stringify({ url: request.url, headers: request.headers }));
    }
    response.end(
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Echo', version: '1' },
        ...(servers === undefined ? {} : { servers }),
        paths: {
          '/echo': {
            get: { operationId: 'echo', summary: `Says ${CANARY} back.`, responses: { 200: { description: 'ok' } } },
          },
        },
        components: { securitySchemes },
      }),
    );
  });
  return { url, document: new URL('openapi.json', url).href, seen };
}

export const api = (document: string, credential: JsonObject = NONE, more: JsonObject = {}): JsonObject => ({
  name: 'echo',
  kind: 'openapi',
  entry: { document, ...more },
  credential,
});
