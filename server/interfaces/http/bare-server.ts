// What every HTTP server of the product does, whatever it serves: identified requests, no reading ahead, every error as
// a problem document, and an end that waits for the requests it still carries.
import { METHODS } from 'node:http';
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
import { randomHex } from '../../lib/random.ts';
import { notFound, Refused, serviceFailed } from '../../lib/rejection.ts';
import { delayContinue, endUnread } from './body.ts';
import { type Patience, trackConnections } from './connections.ts';
import { problemAnswer } from './problem.ts';
import { exemptUploads } from './upload.ts';

export interface BareServerOptions {
  ids: Ids;
  logger: Logger;
  patience?: Patience;
  /** The path of the OpenAPI document, named where nothing is served. */
  description: string;
  /** What else helps who asked for a path that is not served, as the end of a sentence. */
  elsewhere?: string;
}

/** More than Node takes of a request's head: no part of a path is refused by its length, but by what it names. */
const LONGEST_PATH_PART = 64 * KIB;

declare module 'fastify' {
  interface FastifyContextConfig {
    withoutCaller?: boolean;
  }
}

export function createBareServer({
  ids,
  logger,
  patience,
  description,
  elsewhere,
}: BareServerOptions): FastifyInstance {
  // By its full type the instance would be one of another type than the routes take.
  // Where it listens is said on stdout; of what the framework says besides, warnings are enough.
  const level = logger.isLevelEnabled('warn') ? 'warn' : logger.level;
  const base: FastifyBaseLogger = logger.child({}, { level });
  const app = fastify({
    loggerInstance: base,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => ids(),
    // No logger a request: what is logged of one names its id itself.
    childLoggerFactory: (parent) => parent,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    routerOptions: { maxParamLength: LONGEST_PATH_PART },
    frameworkErrors: (error, request, reply) => {
      identify(request, reply);
      return answerError(error, request, reply, logger);
    },
  });
  // The framework looks at no body and no Content-Type: the route does, after everything that can be refused without
  // them. And it knows every method, so that a path refuses those that it does not take.
  for (const method of METHODS) {
    if (method !== 'CONNECT') app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }

  delayContinue(app.server);
  exemptUploads(app.server);
  const connections = trackConnections(app.server, patience);
  app.addHook('preClose', (done) => {
    connections.end();
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (connections.isTooMuch(request.raw)) return void reply.hijack();
    identify(request, reply);
    done();
  });
  if (logger.isLevelEnabled('debug')) {
    app.addHook('onResponse', (request, reply, done) => {
      const { id, method, routeOptions } = request;
      // The pattern of the route, never the address: tokens stand in some.
      logger.debug(
        { request_id: id, method, route: routeOptions.url, status: reply.statusCode, ms: reply.elapsedTime },
        'A request was answered.',
      );
      done();
    });
  }
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, logger));
  app.setNotFoundHandler(() => {
    const also = elsewhere === undefined ? '' : `, and ${elsewhere}`;
    throw notFound(`Nothing is served at this path; ${description} lists what is${also}.`);
  });
  return app;
}

function identify(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id).header('x-trace-id', traceIdOf(header(request, 'traceparent')));
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

// The version ff is none; later versions may hold more behind the flags.
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** The trace of a `traceparent` header (W3C Trace Context, section 3.2), else a new one. */
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
    logger.debug({ request_id: request.id, status }, 'The client went away before its body was read.');
  if (status === 500) request.log.error({ err: error, request_id: request.id }, 'A request failed.');
  endUnread(request, reply);
  // Bytes, not a text: the framework would add a charset, which the media type does not have (RFC 9457, section 6.1).
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
