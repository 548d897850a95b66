import { queryOptions } from '@tanstack/react-query';
import { UnreachableError } from '../../api/problem-error.ts';
import { call, eventsIn, request } from '../../api/call.ts';
import { session } from '../../api/session/session.ts';
import { curlCommand } from '../../ui/call-copies.ts';

export interface Wanted {
  playbook: string | undefined;
  read: boolean;
}

export function setupQuery({ playbook, read }: Wanted) {
  return queryOptions({
    queryKey: ['agent setup', playbook, read],
    queryFn: ({ signal }) => call('get_agent_setup', { playbook, read: read ? true : undefined }, signal),
  });
}

/** The path of the MCP endpoint. */
export function endpointOf({ playbook, read }: Wanted): string {
  const path =
    playbook === undefined
      ? '/mcp'
      : `/orgs/${encodeURIComponent(session.org())}/playbooks/${encodeURIComponent(playbook)}/mcp`;
  return read ? `${path}?tools=read` : path;
}

interface ToolList {
  result: { tools: { name: string }[] };
}

const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** Lists the tools of the endpoint, as an agent does. @returns their names */
export async function listTools(endpoint: string): Promise<string[]> {
  const response = await request(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(LIST_TOOLS),
  });
  for await (const { result } of eventsIn<ToolList>(response)) {
    return result.tools.map(({ name }) => name);
  }
  throw new UnreachableError(true);
}

/** The same request as a shell command. */
export function listToolsCommand(endpoint: string): string {
  return curlCommand('POST', endpoint, LIST_TOOLS, { Accept: 'application/json, text/event-stream' });
}
