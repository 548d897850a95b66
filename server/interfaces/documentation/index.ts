// The documentation service: pages for people, and a search and read API for programs. It needs no key, no data directory
// and no runtime.
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Logger } from 'pino';
import { addOperationRoutes, cached, createBareServer, addPublicRoute } from '../http/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import { documentOf } from '../openapi/index.ts';
import { Refused } from '../../lib/rejection.ts';
import { type Callable, type Caller, makeCallable } from '../../operations/index.ts';
import { documentationOperations, SEARCH_ROUTE } from './operations.ts';
import type { Page } from './page.ts';
import { PAGE_POLICY, renderPage } from './render-page.ts';
import { createSearchIndex } from './search-index.ts';

export type { Page } from './page.ts';
export { type PageFolder, readPages } from './read-pages.ts';
export { type Layout, renderPage } from './render-page.ts';

export interface DocumentationOptions {
  pages: readonly Page[];
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** The public address, without a trailing slash; default: the address that it listens on. */
  address: string | undefined;
  logger: Logger;
}

export interface Documentation {
  /** Starts to listen, and returns the address. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

const DESCRIPTION = '/openapi.json';
/** The version of the API, independent of the product's. */
const API_VERSION = '1.0.0';

const READER: Caller = { id: 'reader', form: 'local', org: undefined, may: () => false };

export function createDocumentation({ pages, host, port, address, logger }: DocumentationOptions): Documentation {
  let base = address ?? '';
  const index = createSearchIndex(pages);
  const stopping = new AbortController();
  const operations = documentationOperations({ pages, index, base: () => base });
  const http = createBareServer({
    ids: createIds(systemClock),
    logger,
    description: DESCRIPTION,
    elsewhere: `${SEARCH_ROUTE}?query=WORDS finds pages`,
  });

  addOperationRoutes(http, {
    callables: operations.map(makeCallable).map(asBadRequests),
    prefix: '',
    callerOf: () => READER,
    stopping: stopping.signal,
    clock: systemClock,
    logger,
  });
  addPublicRoute(http, DESCRIPTION, (request, reply) =>
    cached(
      request,
      reply,
      'application/json; charset=utf-8',
      JSON.stringify(
        documentOf(operations, {
          title: 'Cuebook documentation',
          version: API_VERSION,
          description: 'Search and pages of the documentation. Every error is a problem document (RFC 9457).',
          server: base,
          inOrg: false,
          credential: undefined,
          problems: ['bad_request', 'method_not_allowed', 'client_closed_request', 'internal'],
          schemas: 'documentation',
          components: {},
        }),
      ),
    ),
  );
  for (const page of pages) {
    const html = renderPage(page, pages);
    addPublicRoute(http, page.path, (request, reply) =>
      cached(request, reply.header('content-security-policy', PAGE_POLICY), 'text/html; charset=utf-8', html),
    );
    addPublicRoute(http, page.markdownPath, (request, reply) =>
      cached(request, reply, 'text/markdown; charset=utf-8', page.markdown),
    );
  }
  for (const { path, file } of picturesOf(pages)) {
    const bytes = readFileSync(file);
    const type = mediaTypeOf(path);
    addPublicRoute(http, path, (request, reply) => cached(request, reply, type, bytes));
  }

  return {
    async listen() {
      await http.listen({ host, port });
      const bound = http.server.address();
      const at = typeof bound === 'object' && bound !== null ? bound.port : port;
      const listening = `http://${host.includes(':') ? `[${host}]` : host}:${at}`;
      base = address ?? listening;
      return listening;
    },
    async close() {
      stopping.abort();
      await http.close();
      index.close();
    },
  };
}

/** Turns `invalid_input` into `bad_request`: the documentation API returns 400 for invalid fields. */
function asBadRequests(callable: Callable): Callable {
  return {
    ...callable,
    async execute(...args) {
      try {
        return await callable.execute(...args);
      } catch (error) {
        if (!(error instanceof Refused) || error.rejection.reason !== 'invalid_input') throw error;
        throw new Refused({ ...error.rejection, reason: 'bad_request' });
      }
    },
  };
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** The pictures of the pages, each once. */
function picturesOf(pages: readonly Page[]): { path: string; file: string }[] {
  const served = pages.flatMap(({ pictures }) => pictures).flatMap(({ path, file }) => (path ? [{ path, file }] : []));
  return [...new Map(served.map((picture) => [picture.path, picture])).values()];
}

/** @throws Error for an unsupported picture format */
function mediaTypeOf(path: string): string {
  const type = MEDIA_TYPES[extname(path)];
  if (type === undefined) throw new Error(`The picture ${path} has an unsupported format.`);
  return type;
}
