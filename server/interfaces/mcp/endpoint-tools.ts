// The tools of one endpoint, as one request lists and calls them: operations, definitions, and the reading tool.
import {
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from '@modelcontextprotocol/server';
import { assertNever } from '../../../shared/assert-never.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { nearestName } from '../../../shared/nearest-name.ts';
import { harmless } from '../../lib/harmless.ts';
import { forbidden, invalidInput, type Refused } from '../../lib/rejection.ts';
import type { Call, Callable, Operation } from '../../operations/index.ts';
import { createFindAddress } from './addresses.ts';
import { type DefinitionCall, type DefinitionTools, isDefinitionTool } from './definition-tools.ts';
import { absenceAt, type Endpoint, partArguments } from './endpoint.ts';
import type { KeptValues } from './kept-values.ts';
import { type FindAddress, linkTexts, plainAnswer, shorten } from './links.ts';
import { READING_TOOL, readByTool, readingTool } from './reading-tool.ts';
import type { Resources } from './resources.ts';
import { answerResult, FOREIGN } from './results.ts';
import { ANY_OBJECT, inputSchema } from './schemas.ts';
import type { McpMessage } from './transport.ts';
import { unknownArguments } from './unknown-arguments.ts';

export interface EndpointToolsOptions {
  callables: readonly Callable[];
  readable: readonly Callable[];
  definitionTools: DefinitionTools;
  resources: Resources;
  kept: KeptValues;
  served: McpMessage;
  /** The operations that are tools of the endpoint. */
  offered: readonly Callable[];
  mayActForPeople: boolean;
  callOf: (signal: AbortSignal) => Call;
}

export class EndpointTools {
  readonly #options: EndpointToolsOptions;
  readonly #place: FindAddress;

  constructor(options: EndpointToolsOptions) {
    this.#options = options;
    this.#place = createFindAddress(options.served, options.readable, options.kept);
  }

  /** @param cursor the name of a definition's tool, the last of the page before */
  async list(signal: AbortSignal, cursor: string | undefined): Promise<ListToolsResult> {
    const { playbook, readOnly } = this.#options.served;
    const hasDefinitions = playbook !== undefined && !readOnly;
    if (cursor !== undefined && !(hasDefinitions && isDefinitionTool(cursor))) {
      throw noTool('The cursor is not one that tools/list returned; begin without a cursor.');
    }
    const ofDefinitions = hasDefinitions
      ? await this.#options.definitionTools.list(this.#options.callOf(signal), playbook, cursor)
      : { tools: [], hasMore: false };
    const next = ofDefinitions.hasMore ? { nextCursor: ofDefinitions.tools.at(-1)?.name ?? '' } : {};
    if (cursor !== undefined) return { tools: ofDefinitions.tools, ...next };
    const guides = this.#options.resources.list().map(({ name }) => name);
    const ofOperations = this.#options.offered.map(({ operation }) => operationTool(this.#options.served, operation));
    return { tools: [...ofOperations, readingTool(guides), ...ofDefinitions.tools], ...next };
  }

  async call(
    name: string,
    given: JsonObject,
    call: Call,
    waiting: Pick<DefinitionCall, 'progress' | 'until'>,
  ): Promise<CallToolResult> {
    const { playbook, readOnly } = this.#options.served;
    if (name === READING_TOOL) return readByTool(given, this.#options.served, call, this.#options.resources);
    const callable = this.#options.callables.find(({ operation }) => operation.name === name);
    if (callable !== undefined) {
      this.#refuseAbsent(callable.operation);
      return this.#callOperation(callable, given, call);
    }
    if (playbook !== undefined && isDefinitionTool(name)) {
      if (readOnly) throw refuseChange(name);
      if (this.#options.served.issues.length > 0) throw invalidInput(this.#options.served.issues);
      const result = await this.#options.definitionTools.call(name, given, call, {
        playbook,
        findAddress: this.#place,
        ...waiting,
      });
      if (result !== undefined) return result;
    }
    throw this.#unknownTool(name);
  }

  async #callOperation(callable: Callable, given: JsonObject, call: Call): Promise<CallToolResult> {
    const { operation } = callable;
    const { path, fields } = partArguments(this.#options.served, operation, withClaim(callable, given, call.client));
    const names = path as Record<string, string>;
    callable.authorize(call, names);
    const found = callable.checkPath(path);
    const unknown = unknownArguments(this.#options.served, operation, fields);
    const wrong =
      this.#options.served.issues.length > 0
        ? this.#options.served.issues
        : [...callable.checkFields(unknown.known), ...unknown.issues];
    const issues = [...found, ...wrong];
    // An invalid path and invalid fields are reported together.
    if (found.length > 0) throw invalidInput(issues);
    const answered = (await callable.execute(call, names, fields, issues)) as JsonObject;
    const { value: answer, links: linkedTexts } = linkTexts(answered, { ...given, ...names }, this.#place);
    const before = operation.hints.openWorld === true ? FOREIGN : undefined;
    const whole = forAgent(await plainAnswer(answer), operation);
    const { isReturnedInFull = false, nextStep } = operation.forAgents;
    const { value, links } = isReturnedInFull
      ? { value: whole, links: [] }
      : await shorten(whole, { ...given, ...names }, this.#place);
    return answerResult(value, [...linkedTexts, ...links], { before, after: nextStep?.(whole, given) });
  }

  /** @throws ProtocolError or Refused with the reason why the operation is not a tool of this endpoint */
  #refuseAbsent(operation: Operation): void {
    const { name } = operation;
    const absence = absenceAt(this.#options.served, operation, this.#options.mayActForPeople);
    switch (absence) {
      case undefined:
        return;
      case 'no_tool':
        throw operation.forAgents.instead === undefined
          ? this.#unknownTool(name)
          : this.#onlyOverHttp(name, operation.forAgents.instead);
      case 'settings':
        throw noTool(`The settings of this server do not let agents call ${name}; a person must do it.`);
      case 'of_org':
        throw noTool(
          `${name} works on the whole org, but this endpoint serves only the playbook ${this.#options.served.playbook}; connect to /mcp instead.`,
        );
      case 'changes':
        throw refuseChange(name);
      default:
        assertNever(absence);
    }
  }

  #onlyOverHttp(name: string, { tool, how }: { tool: string; how?: string }): ProtocolError {
    const isHere = this.#options.offered.some(({ operation }) => operation.name === tool);
    const instead = `use ${tool}${how === undefined ? '' : ` ${how}`}`;
    return noTool(
      `${name} is only available over HTTP; ${isHere ? `${instead} here` : `connect to /mcp, which serves the whole org, and ${instead}`}.`,
    );
  }

  #unknownTool(name: string): ProtocolError {
    const names = [...this.#options.offered.map(({ operation }) => operation.name), READING_TOOL];
    const near = nearestName(name, names);
    return noTool(
      `There is no tool ${name.slice(0, 100)}.${near === undefined ? ' Call tools/list for all tools; read guides with read_resource.' : ` Did you mean ${near}?`}`,
    );
  }
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

/** Sets `claimed_for` to the client's name if the agent left it out. */
function withClaim({ operation }: Callable, given: JsonObject, claim: string | undefined): JsonObject {
  const takesClaim = Object.hasOwn(operation.fields.properties, 'claimed_for');
  if (!takesClaim || given['claimed_for'] !== undefined || claim === undefined) return given;
  return { ...given, claimed_for: claim };
}
