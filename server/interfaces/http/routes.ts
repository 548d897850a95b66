// Creates the HTTP routes of the operations. One route serves all methods of a path.
import type { Logger } from 'pino';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { LOCAL_ORG, MIB } from '../../../shared/product.ts';
import type { Clock } from '../../lib/clock.ts';
import { ORG_PATTERN, type Permission } from '../../../shared/permissions.ts';
import { badRequest, notFound, Refused } from '../../lib/rejection.ts';
import {
  type Call,
  type Callable,
  type Caller,
  isCommand,
  type Method,
  type Operation,
  type Uploaded,
  watchCredential,
} from '../../operations/index.ts';
import { ANY_METHOD } from './bare-server.ts';
import { type Body, bodyLimits, type BodyLimits, endUnread, hasBody, readBody } from './body.ts';
import { eventStream } from './event-stream.ts';
import { readQuery } from './query.ts';
import { holdFor, sendBytes, sendPieces } from './outgoing.ts';
import { sendJson } from './send-json.ts';
import type { TakeTurn } from './turns.ts';
import type { UploadReceiver } from './upload.ts';

/**
 * Counts an event stream of a caller; the result is called when the stream is closed.
 * @throws Refused `unavailable` if the caller holds too many
 */
export type OpenStream = (caller: Caller) => () => void;

export interface RouteOptions {
  callables: readonly Callable[];
  /** Prefix of the routes; default `/v1/orgs/:org`. */
  prefix?: string;
  /** The caller of a request. @throws Refused for an invalid credential */
  callerOf: (request: FastifyRequest) => Caller;
  /** The value of WWW-Authenticate for a caller without these permissions; absent: no such header. */
  challenge?: ((permissions: readonly Permission[]) => string) | undefined;
  /** Absent: a caller may hold any number of event streams. */
  openStream?: OpenStream | undefined;
  /** Needed for operations that receive uploads. */
  uploads?: UploadReceiver | undefined;
  /** Absent: every request begins when it arrives. */
  takeTurn?: TakeTurn | undefined;
  /** Aborted when the service stops: streams end then. */
  stopping: AbortSignal;
  /** Measures when credentials expire, and when event streams are idle. */
  clock: Clock;
  logger: Logger;
}

/** What a text that is made while it is read holds. */
const STREAMED_BYTES = MIB;

interface Served {
  callable: Callable;
  limits: BodyLimits;
}

export function addOperationRoutes(app: FastifyInstance, options: RouteOptions): void {
  const { prefix = '/v1/orgs/:org' } = options;
  const byRoute = new Map<string, Map<Method, Served>>();
  for (const callable of options.callables) {
    const { operation } = callable;
    const { method } = operation;
    const route = `${operation.isOutsideOrgs === true ? '/v1' : prefix}${operation.route}`;
    const methods = byRoute.get(route) ?? new Map<Method, Served>();
    byRoute.set(route, methods.set(method, { callable, limits: bodyLimits(operation) }));
  }
  for (const [route, methods] of byRoute) {
    app.route({
      method: ANY_METHOD,
      url: route.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        const { org = LOCAL_ORG } = request.params as { org?: string };
        if (!ORG_PATTERN.test(org)) throw notFound(`There is no org ${org.slice(0, 64)}.`);
        const served = methods.get((request.method === 'HEAD' ? 'GET' : request.method) as Method);
        if (served === undefined) throw methodNotAllowed(reply, methods);
        request.operation = served.callable.operation.name;
        try {
          return await serve(request, reply, served, options);
        } catch (error) {
          if (options.challenge !== undefined && error instanceof Refused && error.needsPermission) {
            reply.header('www-authenticate', options.challenge(served.callable.operation.permissions));
          }
          throw error;
        }
      },
    });
  }
}

async function serve(
  request: FastifyRequest,
  reply: FastifyReply,
  served: Served,
  options: RouteOptions,
): Promise<unknown> {
  const caller = options.callerOf(request);
  const { org = LOCAL_ORG, ...path } = request.params as Record<string, string>;
  const { callable } = served;
  const { operation } = callable;
  const [wrong] = callable.checkPath(path);
  if (wrong !== undefined) throw notFound(`This path does not exist: ${wrong.detail}`);

  const traceId = String(reply.getHeader('x-trace-id'));
  let signal: AbortSignal | undefined;
  const call: Call = {
    caller,
    org,
    traceId,
    pageDefault: LIMITS.pageDefault,
    // Created on demand: most operations never use it.
    get signal() {
      signal ??= signalOf(request, reply, { caller, operation }, options);
      return signal;
    },
  };
  callable.authorize(call, path);
  if (operation.upload !== undefined) {
    refuseQuery(request, operation);
    const turn = options.takeTurn?.(request);
    if (turn !== undefined) await turn;
    const { isNew, answer } = await receiveUpload(request, call, { callable, path }, options);
    endUnread(request, reply);
    await sendJson(reply.code(isNew ? 201 : 200), answer);
    return reply;
  }
  const { fields, issues } = await fieldsOf(request, reply, served, options.takeTurn);
  refuseRepeatedFields(fields, Object.keys(request.params as object), operation);
  if (operation.answers === 'event-stream') countStream(reply, caller, options.openStream);
  const answer = await callable.execute(call, path, fields, issues);
  if (operation.answers === 'event-stream') {
    reply.type('text/event-stream; charset=utf-8').header('cache-control', 'no-store');
    return reply.send(
      request.method === 'HEAD' ? '' : eventStream(answer as Parameters<typeof eventStream>[0], options.clock),
    );
  }
  if (operation.answers === 'text') {
    reply.type(typeOfText(operation.mediaType)).header('cache-control', 'no-store');
    if (typeof answer === 'string') return sendBytes(reply, Buffer.from(answer));
    return sendPieces(reply, answer as AsyncIterable<Uint8Array>, STREAMED_BYTES);
  }
  await sendJson(reply.code(operation.status), answer);
  return reply;
}

async function receiveUpload(
  { raw }: FastifyRequest,
  call: Call,
  { callable, path }: { callable: Callable; path: Record<string, string> },
  { uploads }: RouteOptions,
): Promise<Uploaded> {
  const { upload, name } = callable.operation;
  if (upload === undefined || uploads === undefined) throw new Error(`${name} cannot receive a body.`);
  const body = uploads.open(raw, upload, `${call.caller.org ?? ''} ${call.caller.id}`);
  try {
    return await callable.receive(call, path, body);
  } finally {
    await body.close();
  }
}

function typeOfText(mediaType: string): string {
  return mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType;
}

function queryOf({ raw: { url = '' } }: FastifyRequest): string | undefined {
  // A query may contain question marks (RFC 3986, section 3.4).
  return url.includes('?') ? url.slice(url.indexOf('?') + 1) : undefined;
}

/** @throws Refused `bad_request` for a query string beside a body */
function refuseQuery(request: FastifyRequest, { name, upload }: Operation): void {
  if (queryOf(request) === undefined) return;
  throw badRequest(
    upload === undefined
      ? `${name} takes its fields in the JSON body; remove the query string.`
      : `${name} takes no query string; send only the body.`,
  );
}

async function fieldsOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { callable, limits }: Served,
  takeTurn: TakeTurn | undefined,
): Promise<Body> {
  const { operation } = callable;
  if (isCommand(operation)) {
    refuseQuery(request, operation);
    return readBody(request.raw, limits, {
      hold: (bytes) => holdFor(reply, bytes),
      takeTurn: () => takeTurn?.(request),
    });
  }
  const turn = takeTurn?.(request);
  if (turn !== undefined) await turn;
  if (hasBody(request.raw)) {
    throw badRequest(`${operation.name} takes its fields in the query string; remove the body.`);
  }
  const fields: JsonObject = readQuery(queryOf(request) ?? '', operation.fields);
  for (const [field, header] of Object.entries(operation.headers)) {
    const value = request.headers[header];
    if (typeof value === 'string') fields[field] = value;
  }
  return { fields, issues: callable.checkFields(fields) };
}

/** @throws Refused `bad_request` for a field that is in the path and also in the query or body */
function refuseRepeatedFields(fields: JsonObject, inPath: readonly string[], { name, fields: own }: Operation): void {
  const twice = inPath.find((field) => Object.hasOwn(fields, field) && !Object.hasOwn(own.properties, field));
  if (twice === undefined) return;
  throw badRequest(`${name} takes \`${twice}\` from the path; remove it from the query string and the body.`);
}

/**
 * Aborted when the client disconnects before the response is written; for a stream and what may take minutes, also when
 * the service stops, and when the credential of the caller expires or is revoked.
 */
function signalOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { caller, operation }: { caller: Caller; operation: Operation },
  { stopping, clock, logger }: RouteOptions,
): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (reply.raw.writableFinished) return;
    logger.debug({ request_id: request.id, status: 499 }, 'The client disconnected before the response.');
    gone.abort();
  });
  if (operation.answers !== 'event-stream' && operation.isLong !== true) return gone.signal;
  const credential = watchCredential(caller, clock);
  reply.raw.once('close', credential.callOff);
  return AbortSignal.any([gone.signal, stopping, credential.signal]);
}

/** Counts the response as an event stream until it is closed. @throws Refused as `openStream` does */
export function countStream({ raw }: FastifyReply, caller: Caller, openStream: OpenStream | undefined): void {
  const closed = openStream?.(caller);
  if (closed === undefined) return;
  // The client may have disconnected while its credential was verified.
  if (raw.destroyed) closed();
  else raw.once('close', closed);
}

/** Writes events in the event stream format (HTML Living Standard, section 9.2.5), as fast as they are read. */
function methodNotAllowed(reply: FastifyReply, methods: ReadonlyMap<Method, unknown>): Refused {
  const allowed = [...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  reply.header('allow', allowed.toSorted().join(', '));
  return new Refused({
    reason: 'method_not_allowed',
    detail: `This path supports ${allowed.toSorted().join(', ')}.`,
  });
}

/** For read-only paths: permits GET and HEAD. */
export function refuseOtherMethods(request: FastifyRequest, reply: FastifyReply): void {
  refuseOtherThan(['GET'], request, reply);
}

/** Permits the given methods; HEAD is permitted with GET. */
export function refuseOtherThan(methods: readonly Method[], request: FastifyRequest, reply: FastifyReply): void {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (!methods.some((one) => one === method)) throw methodNotAllowed(reply, new Map(methods.map((one) => [one, null])));
}
