// The HTTP interface: checks, routes of operations and descriptions, and every error as a problem document.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Ids } from '../../kernel/ids.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { type Callable, type Caller, DEVELOPER } from '../../operations/index.ts';
import { createBareServer } from './bare-server.ts';
import type { Patience } from './connections.ts';
import { addDescriptionRoutes, type DescriptionOptions } from './description-routes.ts';
import { addConnectPage } from './connect-page.ts';
import { type Challenges, createChallenges } from './challenges.ts';
import {
  type BrowserRules,
  corsHeaders,
  isPreflight,
  PREFLIGHT_HEADERS,
  refuseOtherSites,
  requireAllowedOrigin,
  requireLocalHost,
  originOf,
  requireWellFormedAuthorization,
} from './guards.ts';
import { addMcpRoutes, endpointOf, type McpRouteOptions } from './mcp-routes.ts';
import { addResourceMetadata, type SignIn } from './resource-metadata.ts';
import { addOperationRoutes, type OpenStream } from './routes.ts';
import { callerOrAddress, createTakeTurn, routeOf } from './turns.ts';
import { createUploadReceiver } from './upload.ts';

/** Who may call. */
export interface Access {
  mode: 'local' | 'published';
  /** Absent where nobody signs in. */
  signIn?: SignIn | undefined;
  /**
   * The caller that a well-formed Authorization header proves.
   * @param presented the header, the origin of the page, and the path of the MCP endpoint that the request is for
   * @throws Refused `unauthenticated`
   */
  identify: (presented: {
    authorization: string | undefined;
    origin: string | undefined;
    endpoint: string | undefined;
  }) => Caller | Promise<Caller>;
}

/** Slows down clients that guess credentials, and bounds what one caller holds. */
export interface RequestLimits {
  /** @throws Refused `unavailable` kind `rate_limited`, before the credential is read */
  admit: (address: string, authorization: string) => void;
  refused: (address: string) => void;
  accepted: (authorization: string) => void;
  openStream: OpenStream;
}

export interface HttpOptions {
  callables: readonly Callable[];
  descriptions: DescriptionOptions;
  /** Handles messages to the MCP endpoints; without it, there are no such endpoints. */
  mcp?: McpRouteOptions['serve'];
  access: Access;
  /** The folder for the bodies of uploads while they are received; absent: no operation receives any. */
  uploadFolder?: string;
  /** Absent: none. */
  limits?: RequestLimits | undefined;
  /** Addresses and networks of the reverse proxies before the server; default: none. */
  trustedProxies?: readonly string[];
  browsers: BrowserRules;
  ids: Ids;
  logger: Logger;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
  /** Measures how long the body of an upload takes, and when credentials expire; default: the system clock. */
  clock?: Clock;
  patience?: Patience;
}

/**
 * Pages of other sites cannot load a response as a script or an image to learn that it exists. Caches keep the response
 * to a request without an origin apart from the one that an allowed page may read.
 */
const ALWAYS = {
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  vary: 'Origin',
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the checks before every route that needs a caller. */
    caller: Caller | null;
    /** The operation, or the MCP method, that the request asks for; null until that is known. */
    operation: string | null;
  }
}

export function createHttpServer(options: HttpOptions): FastifyInstance {
  const { access, browsers, logger, stopping, clock = systemClock } = options;
  const challenges = createChallenges(access.signIn?.publicUrl);
  const app = createBareServer({
    ...options,
    description: '/v1/openapi.json',
    ...(access.mode === 'published' ? { aboutRequest } : {}),
  });
  const takeTurn = createTakeTurn(access.mode === 'local' ? routeOf : callerOrAddress);
  app.decorateRequest('caller', null);
  app.decorateRequest('operation', null);
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    reply.headers(ALWAYS);
    if (origin !== undefined && browsers.isAllowedOrigin(origin)) reply.headers(corsHeaders(origin));
    const isAsking = isPreflight(request.raw);
    if (request.routeOptions.config.withoutCaller === true) await takeTurn(request);
    else {
      if (!isAsking) requireAuthorizationForm(request, reply, challenges);
      if (access.mode === 'local') requireLocalHost(request.raw);
      requireAllowedOrigin(request.raw, browsers);
      refuseOtherSites(request.raw);
      // Before any path is looked up, so that nobody learns without a credential what exists.
      if (!isAsking) request.caller = await identify(request, reply, options, challenges);
    }
    if (isAsking) return reply.code(204).headers(PREFLIGHT_HEADERS).send();
    return undefined;
  });

  addDescriptionRoutes(app, options.descriptions);
  if (access.signIn !== undefined) addResourceMetadata(app, access.signIn);
  // A published server without sign-in has no connections that a person could approve.
  if (access.mode === 'local' || access.signIn !== undefined) {
    const { connectScript: script, offersSessions = false } = options.descriptions.studio;
    const caller = access.mode === 'local' ? DEVELOPER : undefined;
    addConnectPage(app, { callables: options.callables, browsers, caller, script, offersSessions });
  }
  const challenge = access.mode === 'local' ? undefined : challenges.insufficient;
  const openStream = options.limits?.openStream;
  const shared = { callerOf, challenge, openStream, takeTurn, clock };
  const { uploadFolder: folder } = options;
  const uploads = folder === undefined ? undefined : createUploadReceiver({ folder, clock });
  addOperationRoutes(app, { ...shared, callables: options.callables, uploads, stopping, logger });
  if (options.mcp !== undefined) {
    const operations = options.callables.map(({ operation }) => operation);
    addMcpRoutes(app, { ...shared, serve: options.mcp, operations });
  }
  return app;
}

/** What is logged of each request of others than the person at this machine; never what they presented. */
function aboutRequest({ caller, operation, routeOptions }: FastifyRequest): object | undefined {
  return routeOptions.config.withoutCaller === true ? undefined : { caller: caller?.id ?? null, operation };
}

function callerOf({ caller }: FastifyRequest): Caller {
  if (caller === null) throw new Error('The caller of the request was not identified.');
  return caller;
}

function requireAuthorizationForm(request: FastifyRequest, reply: FastifyReply, { malformed }: Challenges): void {
  try {
    requireWellFormedAuthorization(request.raw);
  } catch (error) {
    reply.header('www-authenticate', malformed);
    throw error;
  }
}

async function identify(
  request: FastifyRequest,
  reply: FastifyReply,
  { access, limits }: HttpOptions,
  challenges: Challenges,
): Promise<Caller> {
  const { authorization } = request.headers;
  if (authorization !== undefined) limits?.admit(request.ip, authorization);
  try {
    const caller = await access.identify({
      authorization,
      origin: originOf(request.raw, access.signIn?.publicUrl),
      endpoint: endpointOf(request),
    });
    if (authorization !== undefined) limits?.accepted(authorization);
    return caller;
  } catch (error) {
    if (authorization !== undefined) limits?.refused(request.ip);
    reply.header('www-authenticate', authorization === undefined ? challenges.missing : challenges.refused);
    throw error;
  }
}
