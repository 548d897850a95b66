// The tools of a request as its provider takes them, and the calls of the model by the tools' own names and schemas.
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { type AdaptedSchema, adaptSchema } from '../../lib/tool-schemas/index.ts';
import { COMMON_TOOLS, describedProvider, NO_BOUND, type ToolRules } from '../../lib/model-providers/index.ts';
import { createYielder } from '../../lib/event-loop.ts';
import type { LeftOutTool, ModelTool } from '../../kinds/models.ts';
import type { ModelProvider } from '../../settings/index.ts';

export interface AdaptedTools {
  tools: readonly LanguageModelV4FunctionTool[];
  leftOut: readonly LeftOutTool[];
  /** The name that the provider knows a tool by. */
  nameFor: (tool: string) => string;
  /** A call by the tool's own name and schema. */
  ownCall: (name: string, args: string) => { tool: string; arguments: string };
}

interface Adapted {
  tool: ModelTool;
  name: string;
  schema: AdaptedSchema;
}

/** By the tools of a conversation, which are the same at each of its turns. */
const known = new WeakMap<readonly ModelTool[], { prefix: string; adapted: AdaptedTools }>();

export async function adaptTools(
  provider: Pick<ModelProvider, 'prefix'>,
  tools: readonly ModelTool[],
): Promise<AdaptedTools> {
  const before = known.get(tools);
  if (before?.prefix === provider.prefix) return before.adapted;
  const adapted = await adaptEach(provider, tools);
  known.set(tools, { prefix: provider.prefix, adapted });
  return adapted;
}

async function adaptEach(provider: Pick<ModelProvider, 'prefix'>, tools: readonly ModelTool[]): Promise<AdaptedTools> {
  const turn = createYielder();
  const rules = describedProvider(provider.prefix)?.tools ?? COMMON_TOOLS;
  const leftOut: LeftOutTool[] = [];
  const byName = new Map<string, Adapted>();
  const names = new Map<string, string>();
  for (const tool of tools) {
    // oxlint-disable-next-line no-await-in-loop -- one part after the other
    await turn();
    const reason = byName.size >= rules.most ? tooMany(provider, rules) : undefined;
    const schema = reason === undefined ? adaptedSchema(tool, rules) : reason;
    if (typeof schema === 'string') {
      leftOut.push({ tool: tool.name, reason: schema });
      continue;
    }
    const name = freeName(tool.name, rules.names, byName);
    byName.set(name, { tool, name, schema });
    names.set(tool.name, name);
  }
  return {
    tools: [...byName.values()].map(({ tool, name, schema }) => ({
      type: 'function',
      name,
      ...described(tool, rules),
      inputSchema: schema.schema,
    })),
    leftOut,
    nameFor: (tool) => names.get(tool) ?? tool,
    ownCall(name, args) {
      const adapted = byName.get(name) ?? [...byName.values()].find(({ tool }) => isCalled(tool, name));
      if (adapted === undefined) return { tool: name, arguments: args };
      return { tool: adapted.tool.name, arguments: restored(args, adapted.schema) };
    },
  };
}

function isCalled({ name, otherNames = [] }: ModelTool, called: string): boolean {
  return name === called || otherNames.includes(called);
}

/** Bedrock takes no empty description. */
function described({ description }: ModelTool, { mostDescribed = NO_BOUND }: ToolRules): { description?: string } {
  const words = description.trim();
  if (words === '') return {};
  const isLong = words.length > mostDescribed;
  return { description: isLong ? `${words.slice(0, mostDescribed - 1).toWellFormed()}…` : words };
}

function tooMany({ prefix }: Pick<ModelProvider, 'prefix'>, { most }: ToolRules): string {
  return `A request to the model provider ${prefix} takes at most ${most} tools, of which the first are used.`;
}

/** The schema, or why the tool cannot be offered. */
function adaptedSchema({ inputSchema }: ModelTool, rules: ToolRules): AdaptedSchema | string {
  const adapted = adaptSchema(inputSchema, rules);
  if (adapted === undefined) {
    return 'Its schema is nested too deeply, or too large for a provider that takes no references in schemas.';
  }
  return adapted.isObject ? adapted : 'Its arguments are not an object, which models write for a tool.';
}

function freeName(name: string, form: RegExp, taken: ReadonlyMap<string, unknown>): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  const base = [plain, `_${plain}`].map((one) => one.slice(0, MOST_NAME)).find((one) => form.test(one)) ?? 'tool';
  for (let number = 2, free = base; ; number += 1) {
    if (!taken.has(free)) return free;
    free = `${base.slice(0, MOST_NAME - String(number).length - 1)}_${number}`;
  }
}

const MOST_NAME = 64;

/** What is no JSON stays: the tool's caller says so to the model. */
function restored(args: string, { restore, wrapper, names }: AdaptedSchema): string {
  if (wrapper === undefined && names.size === 0) return args;
  const read = jsonIn(args);
  return read === undefined ? args : JSON.stringify(restore(read));
}

function jsonIn(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
