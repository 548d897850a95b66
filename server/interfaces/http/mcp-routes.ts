// The three MCP endpoints: the same checks as for every other route, then the message goes to the MCP interface.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Issue } from '../../../shared/issues.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { LOCAL_ORG, MIB } from '../../../shared/product.ts';
import { ALL_PERMISSIONS, ORG_PATTERN, type Permission } from '../../../shared/permissions.ts';
import type { Clock } from '../../lib/clock.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { countValues, jsonBounds, readJson } from '../../lib/json-bounds.ts';
import { invalidInput, lacksPermission, notFound, Refused } from '../../lib/rejection.ts';
import { type Caller, MOST_BODY_VALUES, type Operation, watchCredential } from '../../operations/index.ts';
import { ANY_METHOD } from './bare-server.ts';
import { LARGE_BYTES, readBodyBytes } from './body.ts';
import { holdFor, piecesOf, sendPieces } from './outgoing.ts';
import { countStream, refuseOtherThan, type RouteOptions } from './routes.ts';

/** A message to an endpoint that passed every check. */
export interface McpRequest {
  caller: Caller;
  org: string;
  /** The playbook of a playbook's endpoint. */
  playbook: string | undefined;
  /** Whether the client asked only for read-only tools. */
  readOnly: boolean;
  requestId: string;
  traceId: string;
  /** Without the arguments of a tool. */
  message: Json;
  /** The arguments of the tool that the message calls. */
  toolArguments: JsonObject | undefined;
  /** Issues of the tool call's arguments; pointers are relative to the arguments. */
  issues: readonly Issue[];
  /** The request without its body; aborted when the client disconnects. */
  request: Request;
}

export interface McpRouteOptions {
  callerOf: RouteOptions['callerOf'];
  openStream?: RouteOptions['openStream'];
  takeTurn?: RouteOptions['takeTurn'];
  /** The value of WWW-Authenticate for a caller that may not use the endpoint at this path. */
  challenge: ((permissions: readonly Permission[], endpoint: string | undefined) => string) | undefined;
  serve: (asked: McpRequest) => Promise<Response>;
  /** The operations that a message may call. */
  operations: readonly Operation[];
  clock: Clock;
}

/** The routes of the MCP endpoints. */
export const MCP_ENDPOINTS = ['/mcp', '/orgs/:org/mcp', '/orgs/:org/playbooks/:playbook/mcp'];
const ARGUMENTS = '/params/arguments';
/** The size of a message without the arguments of a tool. */
const ENVELOPE_BYTES = 64 * 1024;
const ENVELOPE_DEPTH = 64;
/** The values in a message without the arguments of a tool: the protocol library takes ten times as long for each as the parser. */
const MOST_ENVELOPE_VALUES = 1000;
/** The messages in a list, which clients of revision 2025-03-26 may send. */
const MOST_MESSAGES = 10;

export function addMcpRoutes(
  app: FastifyInstance,
  { callerOf, challenge, openStream, takeTurn, serve, operations, clock }: McpRouteOptions,
): void {
  const tools = operations.filter(({ mcp }) => mcp);
  const names = new Set(operations.map(({ name }) => name));
  const most = Math.max(LIMITS.bodyBytes, ...tools.map(({ bodyBytes }) => bodyBytes)) + ENVELOPE_BYTES;
  const depths = tools.flatMap((operation) => Object.entries(operation.depths));
  const bounds = jsonBounds(
    {
      // The arguments of a definition's tool are its input.
      [ARGUMENTS]: LIMITS.inputDepth,
      ...Object.fromEntries(depths.map(([pointer, depth]) => [`${ARGUMENTS}${pointer}`, depth])),
    },
    ENVELOPE_DEPTH,
    MOST_BODY_VALUES,
  );

  for (const url of MCP_ENDPOINTS) {
    app.route({
      method: ANY_METHOD,
      url,
      handler: async (request, reply) => {
        const caller = callerOf(request);
        const { org = caller.org ?? LOCAL_ORG, playbook } = request.params as { org?: string; playbook?: string };
        if (!ORG_PATTERN.test(org)) throw notFound(`There is no org ${org.slice(0, 64)}.`);
        refuseOtherThan(['POST'], request, reply);
        const refusal = againstEndpoint(caller, org, playbook);
        if (refusal !== undefined) {
          if (challenge !== undefined) {
            reply.header('www-authenticate', challenge(ALL_PERMISSIONS, endpointOf(request)));
          }
          throw lacksPermission(refusal);
        }
        const readOnly = readsAlone(request.raw.url ?? '');
        const bytes = await readBodyBytes(request.raw, most, (held) => holdFor(reply, held));
        const turn = takeTurn?.(request);
        if (turn !== undefined) await turn;
        const read = readJson(bytes, bounds);
        if (!read.ok) {
          if (read.isTooMuch) throw tooMuch(read.detail);
          return reply.code(400).send({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: read.detail } });
        }
        // What the message asks for is another part of the main thread's work.
        if (bytes.length > LARGE_BYTES) await yieldToEventLoop();
        const { message, toolArguments } = partMessage(read.value);
        request.operation = askedIn(message, names);
        if (request.operation === LISTENING) countStream(reply, caller, openStream);
        const answer = await serve({
          caller,
          org,
          playbook,
          readOnly,
          requestId: request.id,
          traceId: String(reply.getHeader('x-trace-id')),
          message,
          toolArguments,
          issues: read.issues.map(belowArguments),
          request: asWebRequest(request, signalOf(reply, request.operation, caller, clock)),
        });
        return give(reply, answer, request.operation === LISTENING ? 0 : MESSAGES_BYTES);
      },
    });
  }
}

/** Why the caller may not use the endpoint of an org or of a playbook, whatever tool it would call. */
function againstEndpoint(caller: Caller, org: string, playbook: string | undefined): string | undefined {
  if (caller.org !== undefined && caller.org !== org) {
    return `The caller acts in the org ${caller.org} and has no permission in the org ${org}, such as playbook:read.`;
  }
  const hasAny = (location: string | undefined): boolean =>
    ALL_PERMISSIONS.some((permission) => caller.may(permission, org, location));
  if (playbook === undefined || !hasAny(undefined) || hasAny(playbook)) return undefined;
  return `The caller has no permission over the playbook ${playbook.slice(0, 64)}, such as playbook:read.`;
}

/** The path of the MCP endpoint that a request is for; undefined if it is for no endpoint. */
export function endpointOf({ raw: { url = '' }, routeOptions }: FastifyRequest): string | undefined {
  return MCP_ENDPOINTS.includes(routeOptions.url ?? '') ? url.replace(/\?.*$/s, '') : undefined;
}

/**
 * Parts the arguments of a tool from the rest of a message.
 * @throws Refused `content_too_large` if there is too much in the rest
 */
function partMessage(whole: Json): { message: Json; toolArguments: JsonObject | undefined } {
  const { message, toolArguments } = withoutArguments(whole);
  if (Array.isArray(message) && message.length > MOST_MESSAGES) {
    throw tooMuch(`A request may contain ${MOST_MESSAGES} messages; send one message per request.`);
  }
  if (countValues(message, MOST_ENVELOPE_VALUES) > MOST_ENVELOPE_VALUES) {
    throw tooMuch(`A message may contain ${MOST_ENVELOPE_VALUES} values and names besides the arguments of a tool.`);
  }
  return { message, toolArguments };
}

function withoutArguments(whole: Json): { message: Json; toolArguments: JsonObject | undefined } {
  if (isJsonObject(whole) && whole['method'] === 'tools/call' && isJsonObject(whole['params'])) {
    const { arguments: toolArguments, ...rest } = whole['params'];
    if (isJsonObject(toolArguments)) return { message: { ...whole, params: rest }, toolArguments };
  }
  return { message: whole, toolArguments: undefined };
}

function tooMuch(detail: string): Refused {
  return new Refused({ reason: 'content_too_large', detail });
}

/** @throws Refused for any query but `tools=read` */
function readsAlone(url: string): boolean {
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  if (query === '') return false;
  if (query === 'tools=read') return true;
  const detail = 'An MCP endpoint accepts no query except tools=read, which limits it to read-only tools.';
  throw invalidInput([{ pointer: '/tools', detail }]);
}

/** The issue with a pointer relative to the tool's arguments, because the caller did not write the rest of the message. */
function belowArguments({ pointer, detail }: Issue): Issue {
  return {
    pointer: pointer.startsWith(ARGUMENTS) ? pointer.slice(ARGUMENTS.length) : pointer,
    detail: detail.replace('`params.arguments.', '`').replace('`params.arguments`', 'the arguments object'),
  };
}

/** The stream of changes, which is open until one side ends it. */
const LISTENING = 'subscriptions/listen';

/** Other methods than a tool's. What else a client sends is not repeated in logs. */
const METHODS = new Set([
  'initialize',
  'notifications/cancelled',
  'notifications/initialized',
  'ping',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'server/discover',
  'tools/call',
  'tools/list',
  LISTENING,
]);

/** The operation that a message calls, or its method. */
function askedIn(message: Json, operations: ReadonlySet<string>): string | null {
  if (!isJsonObject(message)) return null;
  const { method, params } = message;
  const tool = isJsonObject(params) ? params['name'] : undefined;
  if (method === 'tools/call' && typeof tool === 'string' && operations.has(tool)) return tool;
  return typeof method === 'string' && METHODS.has(method) ? method : null;
}

/** Aborted when the client disconnects; for the stream of changes, also when the caller's credential ends. */
function signalOf(reply: FastifyReply, asked: string | null, caller: Caller, clock: Clock): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  if (asked !== LISTENING) return gone.signal;
  const credential = watchCredential(caller, clock);
  reply.raw.once('close', credential.callOff);
  return AbortSignal.any([gone.signal, credential.signal]);
}

function asWebRequest(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one);
  }
  return new Request(`http://localhost${request.routeOptions.url}`, { method: 'POST', headers, signal });
}

function give(reply: FastifyReply, answer: Response, held: number): FastifyReply {
  reply.code(answer.status).header('cache-control', 'no-store');
  for (const [name, value] of answer.headers) reply.header(name, value);
  return answer.body === null ? reply.send() : sendPieces(reply, smaller(answer.body), held);
}

/**
 * What the messages of a response hold: the protocol library writes each as a whole. The stream of changes, which has
 * seldom one, holds nothing.
 */
const MESSAGES_BYTES = MIB;

async function* smaller(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield* piecesOf(piece);
}
