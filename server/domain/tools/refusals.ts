// Why a tool cannot be used, in sentences for callers. No tool was called.
import { nearestName } from '../../../shared/nearest-name.ts';
import { type Refused, unavailable } from '../../lib/rejection.ts';
import type { ServerFault } from './server.ts';

export type NotOffered = 'tool_not_allowed' | 'tool_server_not_configured' | 'tool_not_listed';

/** @param known the names that may have been meant: of servers where there is none of the name, else of tools */
export function notOffered(because: NotOffered, server: string, tool: string, known: readonly string[]): Refused {
  const hint = meantWords(because === 'tool_server_not_configured' ? server : tool, known);
  return unavailable(`${notOfferedWords(because, server.slice(0, 64), tool.slice(0, 128))}${hint}`, {
    kind: 'tool_not_offered',
    because,
  });
}

/** That a server, which is not asked now, had no such tool. */
export function wasNotListedWords(server: string, tool: string, known: readonly string[]): string {
  return `The tool server ${server} did not list a tool ${tool.slice(0, 128)} when it was last queried.${meantWords(tool, known)}`;
}

function meantWords(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return near === undefined ? '' : ` Did you mean ${near.slice(0, 128)}?`;
}

function notOfferedWords(because: NotOffered, server: string, tool: string): string {
  switch (because) {
    case 'tool_server_not_configured':
      return `No tool server ${server} is configured for this playbook; search shows the configured servers.`;
    case 'tool_not_allowed':
      return `The tool ${server}/${tool} is not allowed by the operator; search shows the allowed tools.`;
    case 'tool_not_listed':
      return `The tool server ${server} has no tool ${tool}; search shows its tools.`;
  }
}

/** Whether the fault is that a connection is not used, which is a tool that is not offered. */
export function isNotReady({ because }: ServerFault): boolean {
  return because.startsWith('connection_');
}

export function serverFailed(server: string, fault: ServerFault): Refused {
  const { because, message, retryAfter } = fault;
  if (isNotReady(fault)) {
    return unavailable(`The connection ${server} cannot be used. ${message}`, { kind: 'tool_not_offered', because });
  }
  return unavailable(`The tool server ${server} cannot be used. ${message}`, {
    kind: 'tool_server_failed',
    because,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}
