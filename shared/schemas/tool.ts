// The responses of the operations on tool servers.
import Type, { type Static } from 'typebox';
import { count, flag, jsonObject, list, object, objects, oneOf, optional, orNull, text, timestamp } from './fields.ts';

const NOT_READY = text('Why the server could not be reached, as a code.');

/** The response of search. */
export const FoundToolsSchema = object({
  servers: objects('The servers, by name.', {
    name: text('The name of the server, as functions refer to it: the part before the slash.'),
    connection: optional(text('The id of the connection, if the server is one.')),
    type: oneOf('The protocol of the server.', ['mcp', 'stdio', 'openapi']),
    record_content: flag('Whether the arguments and results of its calls are stored.'),
    tool_count: optional(count('The number of tools that it offers.')),
    left_out: optional(text('Which tools of the server cannot be used, and why; absent if all can.')),
    unavailable: optional(text('Instead of `tool_count`: why the server could not be reached.')),
    because: optional(NOT_READY),
    installing: optional(
      Type.Literal(true, {
        description: 'Beside `unavailable`: its package manager may be installing it. Search again in a few seconds.',
      }),
    ),
    playbooks: optional(
      list('Playbooks that may use the server; `*` means all. Only in an org-wide search.', Type.String()),
    ),
  }),
  tools: objects('The tools found. Empty if there are more than 100 and no terms were given.', {
    server: text('The server.'),
    tool: text('The name of the tool on its server.'),
    summary: text("The first sentence of the tool's description."),
    read_only: flag('Whether the server marks the tool as read-only.'),
  }),
  scopes: list('The servers that were searched.', Type.String()),
});
export type FoundTools = Static<typeof FoundToolsSchema>;

const hint = (description: string) => optional(flag(description));

/** The response of introspect. */
export const ToolDescriptionSchema = object({
  server: text('The server.'),
  tool: text('The name of the tool on its server.'),
  description: text("The tool's description by its server, at most 4 KiB."),
  input_schema: jsonObject('JSON Schema of the arguments, as the server publishes it.'),
  annotations: optional(
    object('Hints of the server about the tool; absent if there are none.', {
      readOnlyHint: hint('The tool changes nothing.'),
      destructiveHint: hint('The tool may delete or overwrite something.'),
      idempotentHint: hint('Repeating a call has no further effect.'),
      openWorldHint: hint('The tool reaches systems beyond its server.'),
    }),
  ),
});
export type ToolDescription = Static<typeof ToolDescriptionSchema>;

/** The response of validate. */
export const ArgumentsCheckSchema = object({
  valid: orNull('Whether the arguments are valid; null if the schema cannot be checked.', Type.Boolean()),
  issues: objects('The issues, at most 20 and the number of the rest; if `valid` is null, the reason.', {
    path: text('JSON Pointer into the arguments.'),
    message: text('What is wrong.'),
  }),
});
export type ArgumentsCheck = Static<typeof ArgumentsCheckSchema>;

/** The response of dry_run. */
export const DryRunSchema = object({
  would_run: flag('Whether execute would call the tool now.'),
  needs: Type.Literal('playbook:write', { description: 'The permission that execute needs.' }),
  caller_may: flag('Whether the caller has that permission.'),
  playbook_retired: flag('Whether the playbook is retired: then no tool is called.'),
  allowed: flag('Whether the operator allows the tool.'),
  read_only: orNull(
    'Whether the server marks the tool as read-only; null if its list of tools was not read.',
    Type.Boolean(),
  ),
  arguments: orNull('The result of checking the arguments; null if none were given.', ArgumentsCheckSchema),
  server: object('The state of the server.', {
    reachable: oneOf('Whether the server could be reached.', ['yes', 'no']),
    because: optional(NOT_READY),
  }),
});

/** The response of execute. */
export const ToolCallSchema = object({
  call_id: text('The id of the call; its events carry it.', { format: 'uuid' }),
  server: text('The server.'),
  tool: text('The tool.'),
  outcome: oneOf(
    'How the call ended. After `server_failure`, `timed_out` and `too_large` the tool may have had an effect.',
    ['result', 'tool_error', 'server_failure', 'timed_out', 'too_large'],
  ),
  text: text("The server's text as a model would see it; at most 64 KiB and a note."),
  answer: optional(Type.Unknown({ description: 'The result as JSON, if it has at most 64 KiB.' })),
  result_bytes: orNull('Size of the whole result in bytes; null if there is none.', Type.Integer({ minimum: 0 })),
  duration_ms: count('The duration of the call in milliseconds.'),
  server_request_id: optional(text("The server's own id for the request.")),
  called_at: timestamp('When the tool was called.'),
});
export type ToolCall = Static<typeof ToolCallSchema>;

const SERVER_TYPE = oneOf('A remote MCP server, a program that Cuebook starts, or an HTTP API.', [
  'mcp',
  'stdio',
  'openapi',
]);
const SERVER_NAME = text('Its name, which functions write before the slash.');

/** The response of plan_tool_servers. */
export const ToolServerPlanSchema = object({
  file: text('The configuration file.'),
  env_file: text('The file that gets the variables.'),
  before: text('The configuration file now, with `***` for secrets.'),
  after: text('The configuration file after the change, with `***` for secrets.'),
  base: text('Identifies the files that the plan was made for; add_tool_servers takes it.'),
  servers: objects('The servers that would be added.', {
    name: SERVER_NAME,
    type: SERVER_TYPE,
    notes: list('What a person should know of it, such as settings that are not kept.', Type.String()),
  }),
  variables: objects('The variables that the entries refer to. Their values are never returned.', {
    name: text('The variable.'),
    server: text('The server whose entry refers to it.'),
    field: text('The field that refers to it, for example `env.API_KEY`.'),
    state: oneOf(
      '`set`: it is set already. `pasted`: the env file gets the value from the text. `missing`: `values` of add_tool_servers must give its value.',
      ['set', 'pasted', 'missing'],
    ),
  }),
});

/** The response of add_tool_servers. */
export const AddedToolServersSchema = object({
  file: text('The configuration file.'),
  servers: objects('The servers that were added.', { name: SERVER_NAME, type: SERVER_TYPE }),
});
