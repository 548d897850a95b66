// What every HTTP server of the product has in common: request ids, bodies read only on demand, every error as a problem
// document, and a shutdown that waits for open requests.
import { type IncomingMessage, METHODS } from 'node:http';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { KIB } from '../../../shared/product.ts';
import type { Ids } from '../../kernel/ids.ts';
import { createYielder } from '../../lib/event-loop.ts';
import { randomHex } from '../../lib/random.ts';
import { notFound, Refused, serviceFailed } from '../../lib/rejection.ts';
import { deferContinue, endUnread } from './body.ts';
import { type Patience, trackConnections } from './connections.ts';
import { createHeldBytes } from './held-bytes.ts';
import { problemAnswer } from './problem.ts';
import { exemptUploads } from './upload.ts';

export interface BareServerOptions {
  ids: Ids;
  logger: Logger;
  patience?: Patience;
  /** Addresses and networks whose X-Forwarded-For is believed; default: none. */
  trustedProxies?: readonly string[];
  /** The path of the OpenAPI document, for the error of an unknown path. */
  description: string;
  /** What is logged of a request at the level info, in addition to how it ended; undefined: nothing, except at debug. */
  aboutRequest?: (request: FastifyRequest) => object | undefined;
  /** A further hint for an unknown path, as the end of a sentence. */
  elsewhere?: string;
}

/** More than Node accepts as request headers, so the router never refuses a path for the length of a segment. */
const LONGEST_PATH_PART = 64 * KIB;

/**
 * The method of every route. A path refuses the methods that it does not support, so each route serves all of them; the
 * router has one tree of routes per method, and building thirty takes more time than the rest of a server's start.
 */
export const ANY_METHOD = 'GET';

declare module 'fastify' {
  interface FastifyContextConfig {
    withoutCaller?: boolean;
  }
}

export function createBareServer({
  ids,
  logger,
  patience,
  trustedProxies = [],
  description,
  elsewhere,
  aboutRequest,
}: BareServerOptions): FastifyInstance {
  // The full type of the logger would give the instance another type than the routes take. Only warnings of the
  // framework are logged: the address is printed to stdout.
  const level = logger.isLevelEnabled('warn') ? 'warn' : logger.level;
  const base: FastifyBaseLogger = logger.child({}, { level });
  const routed = new WeakMap<IncomingMessage, string | undefined>();
  const restoreMethod = ({ raw }: FastifyRequest): void => {
    raw.method = routed.get(raw) ?? raw.method;
  };
  const app = fastify({
    loggerInstance: base,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    genReqId: () => ids(),
    // No child logger per request: log lines name the request id themselves.
    childLoggerFactory: (parent) => parent,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    // Detects clients that disappeared without closing their event streams, which may have nothing to send.
    http: { keepAlive: true, keepAliveInitialDelay: 60_000 },
    routerOptions: { maxParamLength: LONGEST_PATH_PART },
    exposeHeadRoutes: false,
    // Called before the router looks for the path, which it does by method.
    rewriteUrl: (request) => {
      routed.set(request, request.method);
      request.method = ANY_METHOD;
      return request.url ?? '/';
    },
    frameworkErrors: (error, request, reply) => {
      restoreMethod(request);
      identify(request, reply);
      return answerError(error, request, reply, logger);
    },
  });
  // The framework ignores bodies and Content-Type: the route reads them, after all checks that do not need them. It
  // accepts every method, so that the path itself can refuse those that it does not support.
  for (const method of METHODS) {
    if (method !== 'CONNECT') app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }

  deferContinue(app.server);
  exemptUploads(app.server);
  const connections = trackConnections(app.server, patience);
  app.addHook('preClose', (done) => {
    connections.end();
    done();
  });
  app.decorate('heldBytes', createHeldBytes());
  app.addHook('onRequest', (request, reply, done) => {
    restoreMethod(request);
    if (connections.isTooMuch(request.raw)) return void reply.hijack();
    identify(request, reply);
    const before = connections.before(request.raw);
    if (before === undefined) return done();
    void continueAfter(before, () => (request.raw.socket.destroyed ? reply.hijack() : done()));
  });
  if (aboutRequest !== undefined || logger.isLevelEnabled('debug')) {
    app.addHook('onResponse', (request, reply, done) => {
      const { id, method, routeOptions } = request;
      const about = aboutRequest?.(request);
      logger[about === undefined ? 'debug' : 'info'](
        {
          request_id: id,
          trace_id: reply.getHeader('x-trace-id'),
          ...about,
          method,
          // The pattern of the route, never the URL: some URLs contain tokens.
          route: routeOptions.url,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
        },
        'Request completed.',
      );
      done();
    });
  }
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, logger));
  app.setNotFoundHandler(() => {
    const also = elsewhere === undefined ? '' : `, and ${elsewhere}`;
    throw notFound(`This path does not exist; ${description} lists the paths that do${also}.`);
  });
  return app;
}

/** A connection with many requests does not hold up others with them. */
async function continueAfter(before: Promise<void>, continueRequest: () => void): Promise<void> {
  const yieldIfLong = createYielder();
  await before;
  await yieldIfLong();
  continueRequest();
}

function identify(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id).header('x-trace-id', traceIdOf(header(request, 'traceparent')));
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

// Version ff is invalid; later versions may have more fields after the flags.
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** The trace id of a `traceparent` header (W3C Trace Context, section 3.2), or a new one. */
function traceIdOf(traceparent: string | undefined): string {
  if (traceparent === undefined) return randomHex(16);
  const [, traceId, parentId] = TRACEPARENT.exec(traceparent) ?? [];
  const isGiven = traceId !== undefined && !/^0+$/.test(traceId) && !/^0+$/.test(parentId ?? '0');
  return isGiven ? traceId : randomHex(16);
}

function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Pick<Logger, 'debug'>,
): FastifyReply {
  const refused = asRefused(error);
  const { status, headers, body } = problemAnswer(refused, `urn:uuid:${request.id}`);
  if (status === 499)
    logger.debug({ request_id: request.id, status }, 'The client closed the connection before its body was read.');
  if (status === 500) request.log.error({ err: error, request_id: request.id }, 'Request failed.');
  endUnread(request, reply);
  // Bytes, not a string: the framework would add a charset, which the media type does not have (RFC 9457, section 6.1).
  return reply
    .code(status)
    .headers(headers)
    .send(Buffer.from(JSON.stringify(body)));
}

function asRefused(error: unknown): Refused {
  if (error instanceof Refused) return error;
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status === 400) return new Refused({ reason: 'bad_request', detail: 'The path is malformed.' });
  return serviceFailed();
}
