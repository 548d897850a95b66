// The MCP server of one endpoint, created for each request: tools of operations, tools of definitions, resources.
import {
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type Tool,
} from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { assertNever } from '../../../shared/assert-never.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { nearestName } from '../../../shared/nearest-name.ts';
import { PRODUCT } from '../../../shared/product.ts';
import type { Clock } from '../../lib/clock.ts';
import { cutBytes } from '../../lib/cut-text.ts';
import { harmless } from '../../lib/harmless.ts';
import { forbidden, invalidInput, Refused, serviceFailed } from '../../lib/rejection.ts';
import { type Call, type Callable, type Operation, watchCredential } from '../../operations/index.ts';
import { createFindPlace } from './addresses.ts';
import { adviceOf } from './advice.ts';
import { type DefinitionCall, type DefinitionTools, isDefinitionTool } from './definition-tools.ts';
import { absenceAt, type Endpoint, instructions, offeredAt, partArguments } from './endpoint.ts';
import type { KeptValues } from './kept-values.ts';
import { linkTexts, plainAnswer, shorten } from './links.ts';
import { createProgress, type Progress } from './progress.ts';
import { READING_TOOL, readByTool, readingTool } from './reading-tool.ts';
import type { Resources } from './resources.ts';
import { answerResult, FOREIGN, problemResult } from './results.ts';
import { ANY_OBJECT, inputSchema } from './schemas.ts';
import type { McpMessage } from './transport.ts';
import { unknownArguments } from './unknown-arguments.ts';

/** How long clients may cache what rarely changes, and what saving a definition changes; in milliseconds. */
const CACHED_LONG = { ttlMs: 300_000, cacheScope: 'public' } as const;
const CACHED_SHORT = { ttlMs: 5000, cacheScope: 'private' } as const;

export interface ServerParts {
  callables: readonly Callable[];
  readable: readonly Callable[];
  definitionTools: DefinitionTools;
  resources: Resources;
  kept: KeptValues;
  /** Whether agents may act on behalf of people, by the current settings. */
  mayActForPeople: () => boolean;
  clock: Clock;
  logger: Logger;
  version: string;
}

export function createServer(parts: ServerParts, served: McpMessage): Server {
  const { definitionTools, resources, kept, clock, logger } = parts;
  const mayActForPeople = parts.mayActForPeople();
  const offered = offeredAt(served, parts.callables, mayActForPeople);
  const place = createFindPlace(served, parts.readable, kept);
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

  /** @param cursor the name of a definition's tool, the last of the page before */
  async function listTools(signal: AbortSignal, cursor: string | undefined): Promise<ListToolsResult> {
    const { playbook, readOnly } = served;
    const hasDefinitions = playbook !== undefined && !readOnly;
    if (cursor !== undefined && !(hasDefinitions && isDefinitionTool(cursor))) {
      throw noTool('The cursor is not one that tools/list returned; begin without a cursor.');
    }
    const ofDefinitions = hasDefinitions
      ? await definitionTools.list(callOf(signal), playbook, cursor)
      : { tools: [], hasMore: false };
    const next = ofDefinitions.hasMore ? { nextCursor: ofDefinitions.tools.at(-1)?.name ?? '' } : {};
    if (cursor !== undefined) return { tools: ofDefinitions.tools, ...next };
    const guides = resources.list().map(({ name }) => name);
    const ofOperations = offered.map(({ operation }) => operationTool(served, operation));
    return { tools: [...ofOperations, readingTool(guides), ...ofDefinitions.tools], ...next };
  }

  async function callOperation(callable: Callable, given: JsonObject, call: Call): Promise<CallToolResult> {
    const { operation } = callable;
    const { path, fields } = partArguments(served, operation, withClaim(callable, given, call.client));
    const names = path as Record<string, string>;
    callable.authorize(call, names);
    const found = callable.checkPath(path);
    const unknown = unknownArguments(served, operation, fields);
    const wrong =
      served.issues.length > 0 ? served.issues : [...callable.checkFields(unknown.known), ...unknown.issues];
    const issues = [...found, ...wrong];
    // An invalid path and invalid fields are reported together.
    if (found.length > 0) throw invalidInput(issues);
    const answered = (await callable.carryOut(call, names, fields, issues)) as JsonObject;
    const { value: answer, links: linkedTexts } = linkTexts(answered, { ...given, ...names }, place);
    const before = operation.hints.openWorld === true ? FOREIGN : undefined;
    const whole = forAgent(await plainAnswer(answer), operation);
    const { isReturnedInFull = false, nextStep } = operation.forAgents;
    const { value, links } = isReturnedInFull
      ? { value: whole, links: [] }
      : await shorten(whole, { ...given, ...names }, place);
    return answerResult(value, [...linkedTexts, ...links], { before, after: nextStep?.(whole, given) });
  }

  async function callTool(
    name: string,
    given: JsonObject,
    call: Call,
    waiting: Pick<DefinitionCall, 'progress' | 'until'>,
  ): Promise<CallToolResult> {
    const { playbook, readOnly } = served;
    if (name === READING_TOOL) return readByTool(given, served, call, resources);
    const callable = parts.callables.find(({ operation }) => operation.name === name);
    if (callable !== undefined) {
      refuseAbsent(callable.operation);
      return callOperation(callable, given, call);
    }
    if (playbook !== undefined && isDefinitionTool(name)) {
      if (readOnly) throw refuseChange(name);
      if (served.issues.length > 0) throw invalidInput(served.issues);
      const result = await definitionTools.call(name, given, call, { playbook, place, ...waiting });
      if (result !== undefined) return result;
    }
    throw unknownTool(name);
  }

  /** @throws ProtocolError or Refused with the reason why the operation is not a tool of this endpoint */
  function refuseAbsent(operation: Operation): void {
    const { name } = operation;
    const absence = absenceAt(served, operation, mayActForPeople);
    switch (absence) {
      case undefined:
        return;
      case 'no_tool':
        throw operation.forAgents.instead === undefined
          ? unknownTool(name)
          : onlyOverHttp(name, operation.forAgents.instead);
      case 'settings':
        throw noTool(`The settings of this server do not let agents call ${name}; a person must do it.`);
      case 'of_org':
        throw noTool(
          `${name} works on the whole org, but this endpoint serves only the playbook ${served.playbook}; connect to /mcp instead.`,
        );
      case 'changes':
        throw refuseChange(name);
      default:
        assertNever(absence);
    }
  }

  function onlyOverHttp(name: string, { tool, how }: { tool: string; how?: string }): ProtocolError {
    const isHere = offered.some(({ operation }) => operation.name === tool);
    const instead = `use ${tool}${how === undefined ? '' : ` ${how}`}`;
    return noTool(
      `${name} is only available over HTTP; ${isHere ? `${instead} here` : `connect to /mcp, which serves the whole org, and ${instead}`}.`,
    );
  }

  function unknownTool(name: string): ProtocolError {
    const names = [...offered.map(({ operation }) => operation.name), READING_TOOL];
    const near = nearestName(name, names);
    return noTool(
      `There is no tool ${name.slice(0, 100)}.${near === undefined ? ' Call tools/list for all tools; read guides with read_resource.' : ` Did you mean ${near}?`}`,
    );
  }

  server.setRequestHandler('tools/list', ({ params }, context) => listTools(context.mcpReq.signal, params?.cursor));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { signal, done } = served.signalFor(context);
    const progress = createProgress(context, clock, params.name);
    const credential = watchCredential(served.caller, clock);
    // A call that the credential permitted is completed, but nothing more is reported or waited for.
    credential.signal.addEventListener('abort', () => progress.end(), { once: true });
    // Those of a message in a list are still in it.
    const given = served.toolArguments ?? ((params.arguments ?? {}) as JsonObject);
    try {
      return await callTool(params.name, given, callOf(signal, progress), { progress, until: credential.signal });
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const refused = asRefused(error);
      if (!(error instanceof Refused)) logger.error({ err: error, request_id: served.requestId }, 'Tool call failed.');
      const tools = offered.map(({ operation }) => operation);
      const tool = { name: params.name, operation: tools.find((one) => one.name === params.name) };
      const advice = adviceOf(refused, tool, tools);
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

/** The response without what the agent knows. */
function forAgent(answer: JsonObject, { forAgents: { omitted, compact } }: Operation): JsonObject {
  const kept =
    omitted === undefined
      ? answer
      : Object.fromEntries(Object.entries(answer).filter(([name]) => !omitted.includes(name)));
  return compact?.(kept) ?? kept;
}

function noTool(words: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, harmless(words));
}

function refuseChange(name: string): Refused {
  return forbidden(`This endpoint has only read-only tools (?tools=read); ${name} is not one of them.`);
}

function operationTool(endpoint: Endpoint, operation: Operation): Tool {
  const { name, title, description, hints } = operation;
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(endpoint, operation),
    outputSchema: ANY_OBJECT,
    annotations: {
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      openWorldHint: hints.openWorld ?? false,
    },
  };
}

const MOST_CLAIM_BYTES = 256;

/** The name of a client, without characters that hide or reorder text. */
function claimOf(client: string | undefined): string {
  const name = (client ?? 'unknown').replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
  return cutBytes(`mcp:${name}`, MOST_CLAIM_BYTES);
}

/** Sets `claimed_for` to the client's name if the agent left it out. */
function withClaim({ operation }: Callable, given: JsonObject, claim: string | undefined): JsonObject {
  const takesClaim = Object.hasOwn(operation.fields.properties, 'claimed_for');
  if (!takesClaim || given['claimed_for'] !== undefined || claim === undefined) return given;
  return { ...given, claimed_for: claim };
}

function clientOf(server: Server, { clientName }: McpMessage): string | undefined {
  return server.getClientVersion()?.name ?? clientName;
}

function asRefused(error: unknown): Refused {
  return error instanceof Refused ? error : serviceFailed();
}
