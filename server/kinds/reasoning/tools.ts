// The tools of a run: asked for once when it starts, and called as the model says.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { nearestName } from '../../../shared/nearest-name.ts';
import { MIB } from '../../../shared/product.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import { createYielder } from '../../lib/event-loop.ts';
import { conflict, unavailable } from '../../lib/rejection.ts';
import type { ModelTool, ModelTurn } from '../models.ts';
import { type RunTool, type RunTools, splitTool } from '../tools.ts';

export interface OfferedTools {
  /** As they are described to the model. */
  tools: readonly ModelTool[];
  /** The tool behind a name that the model was given. */
  find(name: string): RunTool | undefined;
}

/** Of all tools together, as JSON: no model is served with more. */
const MOST_BYTES = MIB;

/**
 * @throws Refused `unavailable` kind `tool_not_offered` or `tool_server_failed`, and `conflict` kind `unworkable` where
 * the tools are too many
 */
export async function offerTools(named: readonly string[], runTools: RunTools): Promise<OfferedTools> {
  // A provider may take only the first: those that are named come before all others of their servers.
  const parts = named.map(splitTool).toSorted((a, b) => Number(a.tool === '*') - Number(b.tool === '*'));
  for (const { server, tool } of parts) if (tool !== '*') runTools.requireAllowed(server, tool);
  const servers = [...new Set(parts.map(({ server }) => server))];
  const lists = new Map(
    await Promise.all(servers.map(async (server) => [server, await runTools.list(server)] as const)),
  );
  const byName = new Map<string, RunTool>();
  const seen = new Set<string>();
  for (const { server, tool } of parts) {
    const offered = lists.get(server) ?? [];
    const meant = tool === '*' ? offered : offered.filter((candidate) => candidate.tool === tool);
    if (meant.length === 0 && tool !== '*') throw notListed(server, tool, offered);
    for (const found of meant) {
      const key = `${found.server}/${found.tool}`;
      if (seen.has(key)) continue;
      seen.add(key);
      byName.set(freeName(found, byName), found);
    }
  }
  return {
    tools: await describeTools(byName),
    find: (name) => byName.get(name),
  };
}

/** Models write names as they stand in prompts: with the server, or alone if only one server has such a tool. */
function otherNames({ server, tool }: RunTool, tools: readonly RunTool[]): string[] {
  const withServer = ['/', '__', '.', ':'].map((sign) => `${server}${sign}${tool}`);
  const isOnly = tools.every((one) => one.server === server || one.tool !== tool);
  return isOnly ? [...withServer, tool] : withServer;
}

async function describeTools(byName: ReadonlyMap<string, RunTool>): Promise<ModelTool[]> {
  const tools: ModelTool[] = [];
  const nextPart = createYielder();
  let bytes = 0;
  const all = [...byName.values()];
  for (const [name, found] of byName) {
    const { description, inputSchema } = found;
    const tool = { name, otherNames: otherNames(found, all), description, inputSchema: inputSchema() };
    bytes += jsonBytes(tool);
    if (bytes > MOST_BYTES) {
      const detail = `The ${byName.size} tools that the definition may use have more than 1 MiB of descriptions and schemas; list only those that it needs in \`tools\`.`;
      throw conflict(detail, 'unworkable');
    }
    tools.push(tool);
    // oxlint-disable-next-line no-await-in-loop -- one part after the other
    await nextPart();
  }
  return tools;
}

function notListed(server: string, tool: string, offered: readonly RunTool[]): Error {
  const near = nearestName(
    tool,
    offered.map((one) => one.tool),
  );
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return unavailable(`The tool server ${server} does not offer a tool ${tool} to this playbook.${hint}`, {
    kind: 'tool_not_offered',
    because: 'tool_not_listed',
  });
}

const MOST_NAME = 64;

/** Providers take letters, digits, `_` and `-` alone. */
function freeName({ server, tool }: RunTool, taken: ReadonlyMap<string, unknown>): string {
  const name = `${server}__${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, MOST_NAME);
  for (let number = 2, free = name; ; number += 1) {
    if (!taken.has(free)) return free;
    free = `${name.slice(0, MOST_NAME - String(number).length - 1)}_${number}`;
  }
}

/** The result of a tool that the model asked for. */
export interface ToolAnswer {
  /** For the model. */
  text: string;
  isError: boolean;
  /** For the record; undefined where nothing was sent. */
  called?: JsonObject;
}

/**
 * Calls a tool as the model asks. Undefined when the run was broken off meanwhile.
 * @throws Refused `unavailable`: nothing was sent
 */
export async function callAsAsked(
  asked: ModelTurn['toolCalls'][number],
  offered: OfferedTools,
  runTools: RunTools,
): Promise<ToolAnswer | undefined> {
  const tool = offered.find(asked.tool);
  if (tool === undefined) {
    return {
      text: `There is no tool ${asked.tool.slice(0, MOST_NAME)}; use one of those you were given.`,
      isError: true,
    };
  }
  const args = argumentsOf(asked.arguments);
  if (args === undefined) return { text: 'The arguments must be one JSON object.', isError: true };
  const end = await runTools.call(tool.server, tool.tool, args);
  if (end === undefined) return undefined;
  const { outcome, text, readOnly } = end;
  const called = { server: tool.server, tool: tool.tool, outcome, ...(readOnly ? { read_only: true } : {}) };
  return { text, isError: outcome !== 'result', called };
}

function argumentsOf(text: string): JsonObject | undefined {
  if (text.trim() === '') return {};
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
