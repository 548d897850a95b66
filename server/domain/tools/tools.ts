// The tools of tool servers: found, described, tried and called.
import type { JsonObject } from '../../../shared/json.ts';
import type { ArgumentsCheck, FoundTools, ToolDescription } from '../../../shared/schemas/index.ts';
import type { Logger } from 'pino';
import { cutBytes } from '../../lib/cut-text.ts';
import type { Clock } from '../../lib/clock.ts';
import { type TextWork, textWorkOf } from '../../lib/text-work/index.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import { Refused } from '../../lib/rejection.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { Mode, Settings, ToolServer } from '../../settings/index.ts';
import { isAllowed } from './tool-names.ts';
import type { ConnectedServers } from './connected.ts';
import { type CallOptions, callTool, type ToolCalled } from './call.ts';
import { checkArguments, unchecked } from './check-arguments.ts';
import { isNotReady, notOffered, serverFailed, wasNotListedWords } from './refusals.ts';
import type { RunningServer } from './running-server.ts';
import { isReadOnly, type SearchRequest, searchServers } from './search.ts';
import { type ListedTool, ServerFault } from './server.ts';
import { createServers, type Servers } from './servers.ts';

/** A tool that a server offers; its schema is made when it is asked for. */
export interface OfferedTool extends Omit<ToolDescription, 'input_schema'> {
  inputSchema: () => JsonObject;
}

/** What would stand in the way of a call, as far as the server is concerned. */
export interface TriedTool {
  allowed: boolean;
  read_only: boolean | null;
  arguments: ArgumentsCheck | null;
  server: { reachable: 'yes' } | { reachable: 'no'; because: string };
}

/** A server that an org has, and whom it serves. */
export interface OrgServer {
  name: string;
  /** Of a connection that a person added: its id. */
  connection?: string;
  /** Ids of playbooks; `*` is all of them. */
  playbooks: readonly string[];
}

/** How an MCP server is reached. */
export type ReachedBy = { address: string } | { command: string; arguments: readonly string[] };

export interface ToolsOptions {
  settings: Pick<Settings, 'toolServers'>;
  /** Tool servers that people added, beside those of the configuration. */
  connections?: ConnectedServers;
  mode: Mode;
  /** The version of this product, sent to MCP servers. */
  version: string;
  schemas: SchemaChecker;
  textWork: TextWork;
  clock: Clock;
  logger: Pick<Logger, 'debug' | 'warn' | 'isLevelEnabled'>;
}

const MOST_DESCRIPTION_BYTES = 4096;

export class Tools {
  readonly #options: ToolsOptions;
  readonly #servers: Servers;

  constructor(options: ToolsOptions) {
    this.#options = options;
    const { settings, connections, ...others } = options;
    const toolServers = settings.toolServers;
    this.#servers = createServers({ ...others, toolServers, ...(connections === undefined ? {} : { connections }) });
  }

  /** Whether any tool server is set up, or may be by people. */
  areConfigured(): boolean {
    return this.#options.settings.toolServers().length > 0 || this.#options.connections?.mayBeAdded() === true;
  }

  serversOfOrg(org: string): OrgServer[] {
    return this.#servers.ofOrg(org).map(({ entry, connectionId }) => ({
      name: entry.name,
      ...(connectionId === undefined ? {} : { connection: connectionId }),
      playbooks: playbooksOf(entry.playbooks),
    }));
  }

  serversOfPlaybook(playbookKey: PlaybookKey): string[] {
    return this.#servers.ofPlaybook(playbookKey).map(({ entry }) => entry.name);
  }

  /**
   * Why the playbook may not use the tool, in a sentence; undefined where nothing speaks against it. No server is asked:
   * what it has counts where it said so before. `*` is any tool.
   */
  whyUnavailable(playbookKey: PlaybookKey, name: string, tool: string): string | undefined {
    try {
      if (tool === '*') return void this.#requireServer(playbookKey, name, tool);
      const known = this.#requireAllowed(playbookKey, name, tool).known();
      return known === undefined || known.includes(tool) ? undefined : wasNotListedWords(name, tool, known);
    } catch (error) {
      if (error instanceof Refused) return error.rejection.detail;
      throw error;
    }
  }

  /** The connection that a person added and that the playbook knows by the name; undefined for a configured server. */
  connectionOf(playbookKey: PlaybookKey, name: string): string | undefined {
    return this.#servers.ofPlaybook(playbookKey).find(({ entry }) => entry.name === name)?.connectionId;
  }

  /** The name of the MCP server that the playbook may use at an address, or that is started by a command. */
  findMcpServer(playbookKey: PlaybookKey, reached: ReachedBy): string | undefined {
    return this.#servers.ofPlaybook(playbookKey).find(({ entry }) => isReachedBy(entry, reached))?.entry.name;
  }

  /** Searches the named servers, of those that the org or, where it is given, the playbook has. */
  search(
    { org, playbook }: { org: string; playbook?: string },
    names: readonly string[],
    request: SearchRequest,
  ): Promise<FoundTools> {
    const all = playbook === undefined ? this.#servers.ofOrg(org) : this.#servers.ofPlaybook({ org, playbook });
    return searchServers(
      all.filter(({ entry }) => names.includes(entry.name)),
      request,
    );
  }

  /** Asks no server. @throws Refused `unavailable` kind `tool_not_offered` for a tool that the playbook may not use */
  refuseUnoffered(playbookKey: PlaybookKey, server: string, tool: string): void {
    this.#requireAllowed(playbookKey, server, tool);
  }

  /** @throws Refused `unavailable` kind `tool_not_offered` or `tool_server_failed`, as the others */
  async describe(playbookKey: PlaybookKey, server: string, tool: string): Promise<ToolDescription> {
    const found = await this.#requireTool(playbookKey, server, tool);
    const { inputSchema, annotations, ...named } = offered(server, found);
    return { ...named, input_schema: inputSchema(), ...(annotations === undefined ? {} : { annotations }) };
  }

  /** The tools that a server offers the playbook. @param onTurn called when it is the turn of the question */
  async list(playbookKey: PlaybookKey, name: string, onTurn?: () => void): Promise<OfferedTool[]> {
    const server = this.#requireServer(playbookKey, name, '*');
    const tools = await this.#listOf(server, onTurn);
    return tools.filter((tool) => isAllowed(server.entry, tool.name)).map((tool) => offered(name, tool));
  }

  async check(playbookKey: PlaybookKey, server: string, tool: string, args: JsonObject): Promise<ArgumentsCheck> {
    return checkArguments(
      this.#options.schemas,
      (await this.#requireTool(playbookKey, server, tool)).inputSchema(),
      args,
    );
  }

  async try(
    playbookKey: PlaybookKey,
    name: string,
    toolName: string,
    args: JsonObject | undefined,
  ): Promise<TriedTool> {
    const server = this.#requireServer(playbookKey, name, toolName);
    const allowed = isAllowed(server.entry, toolName);
    let tool: ListedTool | undefined;
    try {
      tool = (await server.list(undefined, 'soon')).find((one) => one.name === toolName);
    } catch (error) {
      if (error instanceof ServerFault && isNotReady(error)) throw serverFailed(name, error);
      const because = becauseOf(error);
      const unread =
        args === undefined ? null : unchecked("The tool's schema was not read: its server cannot be asked.");
      return { allowed, read_only: null, arguments: unread, server: { reachable: 'no', because } };
    }
    if (allowed && tool === undefined) throw notOffered('tool_not_listed', name, toolName, server.known() ?? []);
    return {
      allowed,
      read_only: tool === undefined ? null : isReadOnly(tool),
      arguments: args === undefined ? null : await this.#checkAllowed(allowed ? tool : undefined, args),
      server: !allowed || tool === undefined ? { reachable: 'yes' } : await this.#reachable(server, tool),
    };
  }

  /**
   * Calls the tool once; the caller records it. Undefined when the signal was aborted before the end.
   * @throws Refused before anything is sent, and whatever `beforeSending` throws
   */
  async call(
    playbookKey: PlaybookKey,
    server: string,
    tool: string,
    args: JsonObject,
    options: CallOptions,
  ): Promise<ToolCalled | undefined> {
    return callTool(
      { playbookKey, clock: this.#options.clock, textWork: textWorkOf(playbookKey, this.#options.textWork) },
      this.#requireAllowed(playbookKey, server, tool),
      tool,
      args,
      options,
    );
  }

  /** Ends the servers that were started here. */
  close(): Promise<void> {
    return this.#servers.close();
  }

  #requireServer(playbookKey: PlaybookKey, name: string, tool: string): RunningServer {
    const all = this.#servers.ofPlaybook(playbookKey);
    const server = all.find(({ entry }) => entry.name === name);
    if (server !== undefined) return server;
    const names = all.map(({ entry }) => entry.name);
    throw notOffered('tool_server_not_configured', name, tool, names);
  }

  #requireAllowed(playbookKey: PlaybookKey, name: string, tool: string): RunningServer {
    const server = this.#requireServer(playbookKey, name, tool);
    if (!isAllowed(server.entry, tool)) throw notOffered('tool_not_allowed', name, tool, server.known() ?? []);
    return server;
  }

  async #listOf(server: RunningServer, onTurn?: () => void, waits?: 'soon'): Promise<readonly ListedTool[]> {
    try {
      return await server.list(onTurn, waits);
    } catch (error) {
      throw error instanceof ServerFault ? serverFailed(server.entry.name, error) : error;
    }
  }

  /** The schema of a tool that the operator does not allow is not shown. */
  async #checkAllowed(tool: ListedTool | undefined, args: JsonObject): Promise<ArgumentsCheck> {
    if (tool !== undefined) return checkArguments(this.#options.schemas, tool.inputSchema(), args);
    return unchecked("The tool's schema was not read: the operator does not allow the tool.");
  }

  async #requireTool(playbookKey: PlaybookKey, name: string, toolName: string): Promise<ListedTool> {
    const server = this.#requireAllowed(playbookKey, name, toolName);
    const tools = await this.#listOf(server, undefined, 'soon');
    const tool = tools.find((one) => one.name === toolName);
    if (tool === undefined) throw notOffered('tool_not_listed', name, toolName, server.known() ?? []);
    return tool;
  }

  /** Whether a call of the tool would be sent: the document of a connection may name an address that it may not reach. */
  async #reachable(server: RunningServer, tool: ListedTool): Promise<TriedTool['server']> {
    if (server.connectionId === undefined || server.entry.type !== 'openapi') return { reachable: 'yes' };
    try {
      await server.requireCallable(tool);
      return { reachable: 'yes' };
    } catch (error) {
      return { reachable: 'no', because: becauseOf(error) };
    }
  }
}

function playbooksOf(playbooks: readonly string[] | undefined): readonly string[] {
  return playbooks === undefined || playbooks.includes('*') ? ['*'] : playbooks;
}

function isReachedBy(entry: ToolServer, reached: ReachedBy): boolean {
  if ('address' in reached) return entry.type === 'mcp' && entry.url.href === URL.parse(reached.address)?.href;
  return (
    entry.type === 'stdio' &&
    entry.command === reached.command &&
    JSON.stringify(entry.args) === JSON.stringify(reached.arguments)
  );
}

function becauseOf(error: unknown): string {
  if (error instanceof ServerFault) return error.because;
  // The gate's: too many ask it now.
  if (error instanceof Refused) return error.rejection.because ?? 'failing';
  throw error;
}

function offered(server: string, { name, description, inputSchema, annotations }: ListedTool): OfferedTool {
  return {
    server,
    tool: name,
    description: cutBytes(description, MOST_DESCRIPTION_BYTES),
    inputSchema,
    ...(annotations === undefined ? {} : { annotations }),
  };
}
