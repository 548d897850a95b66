// The MCP interface of the operations, over HTTP. Nothing is kept between requests except the values of links.
import type { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import type { Guide, McpRequest } from '../http/index.ts';
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import type { Callable } from '../../operations/index.ts';
import { readables } from './addresses.ts';
import { createDefinitionTools } from './definition-tools.ts';
import { createKeptValues } from './kept-values.ts';
import { createResources } from './resources.ts';
import { createServer, type ServerParts } from './server.ts';
import { createTransport } from './transport.ts';

export { instructions } from './endpoint.ts';

/** Emits `changed` when the tools of a playbook's definitions may have changed. */
export type ToolChanges = EventEmitter<{ changed: [PlaybookKey] }>;

export interface McpFaceOptions {
  callables: readonly Callable[];
  /** Forwarded to clients that subscribe to tool changes and may read the playbook. */
  toolChanges: ToolChanges;
  /** The current guides. */
  guides: () => readonly Guide[];
  /** Whether agents may act on behalf of people, by the current settings. */
  mayActForPeople: () => boolean;
  /** @throws Refused `not_found` */
  requirePlaybook: (playbookKey: PlaybookKey) => Promise<void>;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  version: string;
}

export interface McpFace {
  /** Handles one request to an endpoint. @throws Refused for errors that are HTTP responses, not MCP messages */
  serve: (asked: McpRequest) => Promise<Response>;
  close: () => Promise<void>;
}

export function createMcpFace(options: McpFaceOptions): McpFace {
  const { callables, clock, ids, logger } = options;
  const readable = readables(callables);
  const kept = createKeptValues(clock, ids);
  const parts: ServerParts = {
    callables,
    readable,
    kept,
    clock,
    logger,
    definitionTools: createDefinitionTools(new Map(callables.map((callable) => [callable.operation.name, callable]))),
    resources: createResources(options.guides, readable, kept),
    mayActForPeople: options.mayActForPeople,
    version: options.version,
  };
  const transport = createTransport((message) => createServer(parts, message));
  options.toolChanges.on('changed', transport.toolsChanged);

  return {
    async serve(asked) {
      const { caller, org, playbook } = asked;
      // Every operation refuses callers without a permission; they must not learn here whether the playbook exists.
      const mayKnow = ALL_PERMISSIONS.some((permission) => caller.may(permission, org, playbook));
      if (playbook !== undefined && mayKnow) await options.requirePlaybook({ org, playbook });
      return transport.serve(asked);
    },
    close: transport.close,
  };
}

/** Wraps an operation, for every interface, to emit `changed` if it may change tools. */
export function announcing(callable: Callable, toolChanges: ToolChanges): Callable {
  if (callable.operation.forAgents.changesTools !== true) return callable;
  return {
    ...callable,
    async execute(call, path, ...given) {
      const answer = await callable.execute(call, path, ...given);
      toolChanges.emit('changed', { org: call.org, playbook: path['playbook'] ?? '' });
      return answer;
    },
  };
}
