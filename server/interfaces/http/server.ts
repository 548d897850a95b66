// The HTTP interface: checks, routes of operations and descriptions, and every error as a problem document.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Ids } from '../../kernel/ids.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import type { Callable, Caller } from '../../operations/index.ts';
import { createBareServer } from './bare-server.ts';
import type { Patience } from './connections.ts';
import { addDescriptionRoutes, type DescriptionOptions } from './description-routes.ts';
import { addConnectPage } from './connect-page.ts';
import {
  type BrowserRules,
  corsHeaders,
  isPreflight,
  PREFLIGHT_HEADERS,
  refuseOtherSites,
  requireAllowedOrigin,
  requireLocalHost,
  requireWellFormedAuthorization,
} from './guards.ts';
import { addMcpRoutes, type McpRouteOptions } from './mcp-routes.ts';
import { addOperationRoutes } from './routes.ts';

export interface HttpOptions {
  callables: readonly Callable[];
  descriptions: DescriptionOptions;
  /** Handles messages to the MCP endpoints; without it, there are no such endpoints. */
  mcp?: McpRouteOptions['serve'];
  browsers: BrowserRules;
  ids: Ids;
  logger: Logger;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
  /** Measures how long the body of an upload takes; default: the system clock. */
  clock?: Clock;
  patience?: Patience;
}

/** Pages of other sites cannot load a response as a script or an image to learn that it exists. */
const NOT_FOR_OTHER_SITES = { 'cross-origin-resource-policy': 'same-origin', 'x-content-type-options': 'nosniff' };

/** Local mode: every caller on the loopback address is the developer, with every permission in every org. */
const DEVELOPER: Caller = { id: 'developer', may: () => true };

export function createHttpServer(options: HttpOptions): FastifyInstance {
  const { browsers, logger, stopping, clock = systemClock } = options;
  const app = createBareServer({ ...options, description: '/v1/openapi.json' });
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    reply.headers(NOT_FOR_OTHER_SITES);
    if (origin !== undefined && browsers.isAllowedOrigin(origin)) reply.headers(corsHeaders(origin));
    const isAsking = isPreflight(request.raw);
    if (request.routeOptions.config.withoutCaller !== true) {
      if (!isAsking) requireAuthorizationForm(request, reply);
      requireLocalHost(request.raw);
      requireAllowedOrigin(request.raw, browsers);
      refuseOtherSites(request.raw);
    }
    if (!isAsking) return done();
    void reply.code(204).headers(PREFLIGHT_HEADERS).send();
  });

  addDescriptionRoutes(app, options.descriptions);
  addConnectPage(app, {
    callables: options.callables,
    browsers,
    caller: DEVELOPER,
    script: options.descriptions.studio.connectScript,
  });
  const callerOf = (): Caller => DEVELOPER;
  addOperationRoutes(app, { callables: options.callables, callerOf, stopping, clock, logger });
  if (options.mcp !== undefined) {
    const operations = options.callables.map(({ operation }) => operation);
    addMcpRoutes(app, { callerOf, serve: options.mcp, operations });
  }
  return app;
}

function requireAuthorizationForm(request: FastifyRequest, reply: FastifyReply): void {
  try {
    requireWellFormedAuthorization(request.raw);
  } catch (error) {
    reply.header('www-authenticate', 'Bearer error="invalid_request"');
    throw error;
  }
}
