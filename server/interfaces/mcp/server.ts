// The MCP server of one endpoint, created for each request: tools of operations, tools of definitions, resources.
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import type { JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { PRODUCT } from '../../../shared/product.ts';
import type { Clock } from '../../lib/clock.ts';
import { cutBytes } from '../../lib/cut-text.ts';
import { Refused, serviceFailed } from '../../lib/rejection.ts';
import { type Call, watchCredential } from '../../operations/index.ts';
import { adviceOf } from './advice.ts';
import { instructions, offeredAt } from './endpoint.ts';
import { EndpointTools, type EndpointToolsOptions } from './endpoint-tools.ts';
import { createProgress, type Progress } from './progress.ts';
import { problemResult } from './results.ts';
import type { McpMessage } from './transport.ts';

/** How long clients may cache what rarely changes, and what saving a definition changes; in milliseconds. */
const CACHED_LONG = { ttlMs: 300_000, cacheScope: 'public' } as const;
const CACHED_SHORT = { ttlMs: 5000, cacheScope: 'private' } as const;

export interface ServerParts
  extends Pick<EndpointToolsOptions, 'callables' | 'readable' | 'definitionTools' | 'resources' | 'kept'> {
  /** Whether agents may act on behalf of people, by the current settings. */
  mayActForPeople: () => boolean;
  clock: Clock;
  logger: Logger;
  version: string;
}

export function createServer(parts: ServerParts, served: McpMessage): Server {
  const { resources, clock, logger } = parts;
  const mayActForPeople = parts.mayActForPeople();
  const offered = offeredAt(served, parts.callables, mayActForPeople);
  const server = new Server(
    { name: PRODUCT, title: 'Cuebook', version: parts.version },
    {
      // Before revision 2026-07-28, there is no stream for change notifications.
      capabilities: { tools: served.isModern ? { listChanged: true } : {}, resources: {} },
      instructions: instructions(served),
      cacheHints: {
        'server/discover': CACHED_LONG,
        'tools/list': CACHED_SHORT,
        'resources/list': CACHED_LONG,
        'resources/templates/list': CACHED_LONG,
      },
    },
  );

  const callOf = (signal: AbortSignal, progress?: Progress): Call => ({
    caller: served.caller,
    org: served.org,
    traceId: served.traceId,
    client: claimOf(clientOf(server, served)),
    signal,
    ...(progress?.follow === undefined ? {} : { onText: progress.follow }),
    pageDefault: LIMITS.pageDefaultOfAgents,
  });

  const tools = new EndpointTools({ ...parts, served, offered, mayActForPeople, callOf });
  server.setRequestHandler('tools/list', ({ params }, context) => tools.list(context.mcpReq.signal, params?.cursor));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { signal, done } = served.signalFor(context);
    const progress = createProgress(context, clock, params.name);
    const credential = watchCredential(served.caller, clock);
    // A call that the credential permitted is completed, but nothing more is reported or waited for.
    credential.signal.addEventListener('abort', () => progress.end(), { once: true });
    // Those of a message in a list are still in it.
    const given = served.toolArguments ?? ((params.arguments ?? {}) as JsonObject);
    try {
      return await tools.call(params.name, given, callOf(signal, progress), { progress, until: credential.signal });
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const refused = asRefused(error);
      if (!(error instanceof Refused)) logger.error({ err: error, request_id: served.requestId }, 'Tool call failed.');
      const operations = offered.map(({ operation }) => operation);
      const tool = { name: params.name, operation: operations.find((one) => one.name === params.name) };
      const advice = adviceOf(refused, tool, operations);
      return problemResult(refused, advice, `urn:uuid:${served.requestId}`, served.isModern);
    } finally {
      progress.end();
      credential.callOff();
      done();
    }
  });
  server.setRequestHandler('resources/list', () => ({ resources: resources.list() }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: resources.templates(served) }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
    try {
      return { contents: [{ uri, ...(await resources.read(uri, served, callOf(mcpReq.signal))) }] };
    } catch (error) {
      const { rejection } = asRefused(error);
      if (rejection.reason === 'not_found') throw new ResourceNotFoundError(uri, rejection.detail);
      if (!(error instanceof Refused))
        logger.error({ err: error, request_id: served.requestId }, 'Resource read failed.');
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, rejection.detail);
    }
  });
  return server;
}

const MOST_CLAIM_BYTES = 256;

/** The name of a client, without characters that hide or reorder text. */
function claimOf(client: string | undefined): string {
  const name = (client ?? 'unknown').replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
  return cutBytes(`mcp:${name}`, MOST_CLAIM_BYTES);
}

function clientOf(server: Server, { clientName }: McpMessage): string | undefined {
  return server.getClientVersion()?.name ?? clientName;
}

function asRefused(error: unknown): Refused {
  return error instanceof Refused ? error : serviceFailed();
}
