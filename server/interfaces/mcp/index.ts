// The third face of the operations: MCP over HTTP. Nothing is kept between requests but values behind links.
import type { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import type { Guide, McpRequest } from '../http/index.ts';
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

/** Emits `changed` when the tools of some playbook may have changed. */
export type ToolChanges = EventEmitter<{ changed: [] }>;

export interface McpFaceOptions {
  callables: readonly Callable[];
  /** Passed on to clients that listen for changes of tools. */
  toolChanges: ToolChanges;
  /** The guides as they stand now. */
  guides: () => readonly Guide[];
  /** Whether agents may act in the place of people, by the settings of now. */
  mayActForPeople: () => boolean;
  /** @throws Refused `not_found` */
  requirePlaybook: (place: PlaybookKey) => Promise<void>;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  version: string;
}

export interface McpFace {
  /** Answers one request to an endpoint. @throws Refused what no MCP client is to be told in its protocol */
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
  options.toolChanges.on('changed', () => transport.notify.toolsChanged());

  return {
    async serve(asked) {
      const { org, playbook } = asked;
      if (playbook !== undefined) await options.requirePlaybook({ org, playbook });
      return transport.serve(asked);
    },
    close: transport.close,
  };
}

/** The operation, whichever interface carries it out, with `changed` emitted where it may change tools. */
export function announcing(callable: Callable, toolChanges: ToolChanges): Callable {
  if (callable.operation.forAgents.changesTools !== true) return callable;
  return {
    ...callable,
    async carryOut(...given) {
      const answer = await callable.carryOut(...given);
      toolChanges.emit('changed');
      return answer;
    },
  };
}
