import { queryOptions } from '@tanstack/react-query';
import { readEventStream } from '../../../shared/event-stream.ts';
import { LOCAL_ORG } from '../../../shared/product.ts';
import type { AgentSetup } from '../../../shared/schemas/index.ts';
import { UnreachableError } from '../../api/problem-error.ts';
import { request, send } from '../../api/send.ts';
import { curlCommand } from '../../ui/curl.ts';

export interface Wanted {
  playbook: string | undefined;
  read: boolean;
}

export function setupQuery({ playbook, read }: Wanted) {
  return queryOptions({
    queryKey: ['agent setup', playbook, read],
    queryFn: ({ signal }) =>
      send<AgentSetup>('GET', `/v1/orgs/${LOCAL_ORG}/agent-setup`, {
        query: { playbook, read: read ? true : undefined },
        signal,
      }),
  });
}

/** The path of the MCP endpoint. */
export function endpointOf({ playbook, read }: Wanted): string {
  const path = playbook === undefined ? '/mcp' : `/orgs/${LOCAL_ORG}/playbooks/${encodeURIComponent(playbook)}/mcp`;
  return read ? `${path}?tools=read` : path;
}

interface ToolList {
  result: { tools: { name: string }[] };
}

const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** Asks the endpoint for its tools, as an agent does; answers their names. */
export async function listTools(endpoint: string): Promise<string[]> {
  const { body } = await request(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(LIST_TOOLS),
  });
  if (body === null) throw new UnreachableError(true);
  for await (const { result } of readEventStream<ToolList>(body.pipeThrough(new TextDecoderStream()))) {
    return result.tools.map(({ name }) => name);
  }
  throw new UnreachableError(true);
}

/** The same from a terminal. */
export function listToolsCommand(endpoint: string): string {
  return curlCommand('POST', endpoint, LIST_TOOLS, { Accept: 'application/json, text/event-stream' });
}
