// Search over the tools of several servers. A server that cannot be asked is listed as such; the others are searched.
import type { FoundTools } from '../../../shared/schemas/index.ts';
import { cutBytes } from '../../lib/cut-text.ts';
import { createYielder } from '../../lib/event-loop.ts';
import { Refused } from '../../lib/rejection.ts';
import { compareNames, isAllowed } from './tool-names.ts';
import type { RunningServer } from './running-server.ts';
import { scoreOf, summaryOf } from './search-words.ts';
import { type ListedTool, ServerFault } from './server.ts';

export interface SearchRequest {
  terms: readonly string[];
  only: 'read' | 'write' | undefined;
}

export type FoundServer = FoundTools['servers'][number];

const MOST_TOOLS = 100;
const MOST_WORDS_BYTES = 1024;

type ListedServer = { server: RunningServer; tools: ListedTool[] } | { server: RunningServer; fault: ServerFault };

/** @param servers sorted by name */
export async function searchServers(servers: readonly RunningServer[], request: SearchRequest): Promise<FoundTools> {
  const asked = await Promise.all(servers.map((server) => ask(server, request.only)));
  const offered = asked.flatMap((one) =>
    'tools' in one ? one.tools.map((tool) => ({ server: one.server.entry.name, tool })) : [],
  );
  return {
    servers: asked.map(foundServer),
    tools: (await pick(offered, request.terms)).map(({ server, tool }) => ({
      server,
      tool: tool.name,
      summary: summaryOf(tool.description),
      read_only: isReadOnly(tool),
    })),
    scopes: asked.filter((one) => 'tools' in one).map(({ server }) => server.entry.name),
  };
}

type OfferedTool = { server: string; tool: ListedTool };

async function pick(offered: readonly OfferedTool[], terms: readonly string[]): Promise<OfferedTool[]> {
  if (terms.length === 0) return offered.length > MOST_TOOLS ? [] : [...offered];
  const scored: (OfferedTool & { score: number })[] = [];
  const nextPart = createYielder();
  for (const one of offered) {
    const score = scoreOf(one.tool, terms);
    if (score > 0) scored.push({ ...one, score });
    // oxlint-disable-next-line no-await-in-loop -- one part after the other
    await nextPart();
  }
  return scored
    .toSorted((a, b) => b.score - a.score || compareNames(a.tool.name, b.tool.name) || compareNames(a.server, b.server))
    .slice(0, MOST_TOOLS);
}

export function isReadOnly(tool: ListedTool): boolean {
  return tool.annotations?.readOnlyHint === true;
}

async function ask(server: RunningServer, only: SearchRequest['only']): Promise<ListedServer> {
  try {
    const listed = await server.list(undefined, 'soon');
    const tools = listed.filter((tool) => isAllowed(server.entry, tool.name));
    return {
      server,
      tools: only === undefined ? tools : tools.filter((tool) => isReadOnly(tool) === (only === 'read')),
    };
  } catch (error) {
    if (error instanceof ServerFault) return { server, fault: error };
    // The gate's refusal: too many ask it now.
    if (error instanceof Refused) return { server, fault: new ServerFault('rate_limited', error.rejection.detail) };
    throw error;
  }
}

function foundServer(asked: ListedServer): FoundServer {
  const { name, type, recordContent } = asked.server.entry;
  const { connectionId } = asked.server;
  const connection = connectionId === undefined ? {} : { connection: connectionId };
  const common = { name, ...connection, type, record_content: recordContent };
  if ('tools' in asked) {
    const leftOut = asked.server.leftOut();
    const tools = { ...common, tool_count: asked.tools.length };
    return leftOut === undefined ? tools : { ...tools, left_out: cutBytes(leftOut, MOST_WORDS_BYTES) };
  }
  const { message, because, isInstalling } = asked.fault;
  const unavailable = { ...common, unavailable: cutBytes(message, MOST_WORDS_BYTES), because };
  return isInstalling ? { ...unavailable, installing: true } : unavailable;
}
