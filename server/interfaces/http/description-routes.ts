// What the service returns without a key: the OpenAPI document, the guides, the API catalog, health, explanations of
// problems, and the studio at `/`.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEMS } from '../../../shared/problems.ts';
import { badRequest } from '../../lib/rejection.ts';
import { cached, addPublicRoute } from './public-routes.ts';
import { sendAsset, sendPage, type StudioFiles } from './studio-files.ts';

const CATALOG = '/.well-known/api-catalog';

export interface Guide {
  name: string;
  title: string;
  /** Markdown. */
  text: string;
}

export interface Health {
  status: 'ok' | 'stopping' | 'failing';
  version: string;
  mode: 'local' | 'published';
  store: 'sqlite' | 'postgres';
  /** What the store has done since the service started; absent in the published mode. */
  work?: { seconds: number; commits: number; statements: number };
}

export interface DescriptionOptions {
  /** The OpenAPI document as JSON text. */
  openapi: string;
  /** The origin under which clients reach the server; absent: that of the request. */
  publicUrl?: string | undefined;
  guides: readonly Guide[];
  health: () => Health;
  studio: StudioFiles;
}

export function addDescriptionRoutes(app: FastifyInstance, options: DescriptionOptions): void {
  const give = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => unknown): void =>
    addPublicRoute(app, url, handler);

  give('/v1/openapi.json', (request, reply) =>
    cached(request, reply, 'application/json; charset=utf-8', options.openapi),
  );
  for (const guide of options.guides) {
    // The text of a guide may depend on the settings.
    give(`/v1/guides/${guide.name}`, (request, reply) =>
      cached(request, reply, 'text/markdown; charset=utf-8', guide.text),
    );
  }
  give(CATALOG, (request, reply) => {
    const origin = options.publicUrl ?? originOf(request);
    reply.header('link', `<${origin}${CATALOG}>; rel="api-catalog"`);
    return cached(request, reply, 'application/linkset+json', JSON.stringify(catalog(origin, options.guides)));
  });
  give('/health', (request, reply) => {
    const health = options.health();
    const origin = options.publicUrl ?? originOf(request);
    reply.header('cache-control', 'no-store').header('link', `<${origin}${CATALOG}>; rel="api-catalog"`);
    return reply
      .code(health.status === 'ok' ? 200 : 503)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(health));
  });
  for (const [name, { status, title }] of Object.entries(PROBLEMS)) {
    const text = `# ${title}\n\n- Name: \`${name}\`\n- Status: ${status}\n\nThe problem's \`detail\` says what is wrong and what to do. \`errors\`, if present, points at each invalid value. The guide \`errors\` explains all problems.\n`;
    give(`/problems/${name}`, (request, reply) => cached(request, reply, 'text/markdown; charset=utf-8', text));
  }
  give('/', (request, reply) => sendPage(request, reply, options.studio));
  give('/assets/:name', (request, reply) => sendAsset(request, reply, options.studio));
}

/** A host name or address with a port, safe to repeat in a response. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;

/** The origin of the request; forwarded headers are ignored. @throws Refused `bad_request` */
function originOf(request: FastifyRequest): string {
  const { localAddress = '127.0.0.1', localPort = 0 } = request.socket;
  const { host = '' } = request.headers;
  if (host === '') return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
  if (!HOST.test(host)) throw badRequest('The Host header must be a host name or address, with an optional port.');
  return `http://${host}`;
}

/** A linkset of the API (RFC 9727 and RFC 9264). */
function catalog(origin: string, guides: readonly Guide[]): object {
  return {
    linkset: [
      {
        anchor: `${origin}/v1`,
        'service-desc': [{ href: `${origin}/v1/openapi.json`, type: 'application/json' }],
        'service-doc': guides.map(({ name, title }) => ({
          href: `${origin}/v1/guides/${name}`,
          type: 'text/markdown',
          title,
        })),
        status: [{ href: `${origin}/health`, type: 'application/json' }],
      },
    ],
  };
}
