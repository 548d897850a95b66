// Definitions as tools: every active definition of the playbook that its document exposes.
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import {
  DEFINITION_FACTS,
  DEFINITION_TYPES,
  type DefinitionType,
  isDefinitionType,
} from '../../../shared/definition-types.ts';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { pointerTo, tokensOf } from '../../../shared/json-pointer.ts';
import { KIB } from '../../../shared/product.ts';
import { runInput } from '../../../shared/run-input.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import { invalidInput, Refused } from '../../lib/rejection.ts';
import { compileOwnSchema } from '../../lib/schemas/index.ts';
import type { Call, Callable } from '../../operations/index.ts';
import { type FindAddress, shorten } from './links.ts';
import type { Progress } from './progress.ts';
import { answerResult, FOREIGN } from './results.ts';
import { type DefinitionInput, definitionInput, definitionOutput } from './schemas.ts';

/** How long a call waits for the end of a run. */
const WAITED_FOR_MS = 45_000;

/** Of a page of tools. A client that asks for no other page has more of them than a model reads. */
const MOST_PAGE_BYTES = 512 * KIB;

interface Entry {
  type: DefinitionType;
  name: string;
  status: string;
  description?: string;
  input_schema?: JsonObject;
  output_schema?: JsonObject;
  details: { expose?: true };
}

/** What surrounds the call of a definition's tool. */
export interface DefinitionCall {
  playbook: string;
  findAddress: FindAddress;
  progress: Progress;
  /** Ends the wait for the run. */
  until: AbortSignal;
}

export interface ToolPage {
  tools: Tool[];
  /** There are more. */
  hasMore: boolean;
}

export interface DefinitionTools {
  /**
   * The tools in their order, a page at a time.
   * @param after the name of the last tool of the page before
   */
  list(call: Call, playbook: string, after?: string): Promise<ToolPage>;
  /** Undefined if there is no such tool. @throws Refused with the run's ending, if it did not succeed */
  call(name: string, given: JsonObject, call: Call, surroundings: DefinitionCall): Promise<CallToolResult | undefined>;
}

export function createDefinitionTools(byName: ReadonlyMap<string, Callable>): DefinitionTools {
  function callableOf(name: string): Callable {
    const callable = byName.get(name);
    if (callable === undefined) throw new Error(`There is no operation ${name}.`);
    return callable;
  }

  async function execute(name: string, call: Call, path: Record<string, string>, fields: JsonObject): Promise<Json> {
    const callable = callableOf(name);
    callable.authorize(call, path);
    return (await callable.execute(call, path, fields)) as Json;
  }

  async function* exposed(call: Call, playbook: string, type: DefinitionType): AsyncGenerator<Entry> {
    const listed = (await execute('list_definitions', call, { playbook, type }, {})) as unknown as {
      definitions: AsyncIterable<Entry>;
    };
    for await (const entry of listed.definitions) if (isExposed(entry)) yield entry;
  }

  async function findExposed(call: Call, path: Record<string, string>): Promise<Entry | undefined> {
    try {
      const entry = (await execute('get_definition', call, path, {})) as unknown as Entry;
      return isExposed(entry) ? entry : undefined;
    } catch (error) {
      if (error instanceof Refused && error.rejection.reason === 'not_found') return undefined;
      throw error;
    }
  }

  /** @throws Refused as run_definition does, or with the run's ending */
  async function runToEnd(
    call: Call,
    { type, name, input_schema }: Entry,
    given: JsonObject,
    { playbook, progress, until }: DefinitionCall,
  ): Promise<JsonObject> {
    const { input, pointed } = inputOf(given, definitionInput(input_schema));
    const waiting: Call = { ...call, wait: { forMs: WAITED_FOR_MS, onProgress: progress.report, until } };
    try {
      return (await execute('run_definition', waiting, { playbook, type, name }, { input })) as JsonObject;
    } catch (error) {
      throw error instanceof Refused ? pointedIntoArguments(error, pointed) : error;
    }
  }

  return {
    async list(call, playbook, after) {
      const tools: Tool[] = [];
      let bytes = 0;
      for (const type of DEFINITION_TYPES) {
        for await (const entry of exposed(call, playbook, type)) {
          if (after !== undefined && !comesAfter(entry, after)) continue;
          const tool = toolOf(entry);
          bytes += jsonBytes(tool);
          if (bytes > MOST_PAGE_BYTES && tools.length > 0) return { tools, hasMore: true };
          tools.push(tool);
        }
      }
      return { tools, hasMore: false };
    },
    async call(toolName, given, call, surroundings) {
      const { playbook, findAddress } = surroundings;
      const [type = '', name = ''] = toolName.split(/_(.*)/s);
      if (!isDefinitionType(type)) return undefined;
      const entry = await findExposed(call, { playbook, type, name });
      if (entry === undefined) return undefined;
      const run = await runToEnd(call, entry, given, surroundings);
      const { run_id = null, status = null, output } = run;
      const { value, links } = await shorten(
        { run_id, status, ...(output === undefined ? {} : { output }) },
        { playbook },
        findAddress,
      );
      return answerResult(value, links, {
        before: DEFINITION_FACTS[type].reachesOutside === true ? FOREIGN : undefined,
        after: callableOf('run_definition').operation.forAgents.nextStep?.(run, {}),
      });
    },
  };
}

export function isDefinitionTool(name: string): boolean {
  return isDefinitionType(name.split('_')[0] ?? '');
}

/** Whether the tool of a definition stands behind the one of that name, which may be gone. */
function comesAfter(entry: Pick<Entry, 'type' | 'name'>, toolName: string): boolean {
  const [type = '', name = ''] = toolName.split(/_(.*)/s);
  const rank = DEFINITION_TYPES.indexOf(entry.type) - (DEFINITION_TYPES as readonly string[]).indexOf(type);
  return rank > 0 || (rank === 0 && entry.name > name);
}

function toolOf({ type, name, description, input_schema, output_schema }: Entry): Tool {
  const words = description === undefined ? `Runs the playbook's ${type} ${name}.` : description.trim();
  return {
    name: `${type}_${name}`,
    title: name,
    description: `${words.slice(0, 1000)} Runs a ${type} of the playbook; returns its run_id, status and output.`,
    inputSchema: definitionInput(input_schema).schema,
    outputSchema: definitionOutput(output_schema, DEFINITION_FACTS[type].hasOtherOutputs === true),
    annotations: {
      readOnlyHint: false,
      destructiveHint: DEFINITION_FACTS[type].reachesOutside === true,
      idempotentHint: false,
      openWorldHint: DEFINITION_FACTS[type].reachesOutside === true,
    },
  };
}

function isExposed({ status, details }: Entry): boolean {
  return status === 'active' && details.expose === true;
}

interface ReadInput {
  input: Json;
  /** The tokens of a pointer into the arguments, of one into the input. */
  pointed: (tokens: readonly string[]) => string[];
}

/** @throws Refused for arguments beside the input */
function inputOf(given: JsonObject, { wrapper, adapted }: DefinitionInput): ReadInput {
  const restore = adapted?.restoreNames ?? ((input) => input);
  const named = (tokens: readonly string[]): string[] => tokens.map((token) => adapted?.names.get(token) ?? token);
  if (wrapper === undefined) return { input: restore(given), pointed: named };
  const isAbsent = !Object.hasOwn(given, wrapper) && Object.keys(given).length > 0;
  // A client that knows the definition may give the input itself.
  if (isAbsent && adapted?.isObject === true) return { input: restore(given), pointed: named };
  // The definition checks the input itself.
  const issues = compileOwnSchema({ properties: { [wrapper]: {} }, additionalProperties: false })(given, '');
  if (issues.length > 0) throw invalidInput(issues);
  return { input: restore(runInput(given[wrapper])), pointed: (tokens) => [wrapper, ...named(tokens)] };
}

/** The refusal with pointers into the tool's arguments. */
function pointedIntoArguments({ rejection, problem, members }: Refused, pointed: ReadInput['pointed']): Refused {
  const issues = rejection.issues?.map((issue) => {
    const [first, ...inside] = tokensOf(issue.pointer);
    return first === 'input' ? { ...issue, pointer: pointerTo(pointed(inside)) } : issue;
  });
  return new Refused({ ...rejection, ...(issues === undefined ? {} : { issues }) }, { problem, members });
}
