// The responses of the operations on tool servers.
import Type, { type Static } from 'typebox';
import { jsonObject, timestamp } from './fields.ts';

const CLOSED = { additionalProperties: false } as const;
const NOT_READY = Type.String({ description: 'Why the server could not be reached, as a code.' });

/** The response of search. */
export const FoundToolsSchema = Type.Object(
  {
    servers: Type.Array(
      Type.Object(
        {
          name: Type.String({
            description: 'The name of the server, as functions refer to it: the part before the slash.',
          }),
          connection: Type.Optional(Type.String({ description: 'The id of the connection, if the server is one.' })),
          type: Type.Enum(['mcp', 'stdio', 'openapi'], { description: 'The protocol of the server.' }),
          record_content: Type.Boolean({ description: 'Whether the arguments and results of its calls are stored.' }),
          tool_count: Type.Optional(Type.Integer({ minimum: 0, description: 'The number of tools that it offers.' })),
          left_out: Type.Optional(
            Type.String({ description: 'Which tools of the server cannot be used, and why; absent if all can.' }),
          ),
          unavailable: Type.Optional(
            Type.String({ description: 'Instead of `tool_count`: why the server could not be reached.' }),
          ),
          because: Type.Optional(NOT_READY),
          installing: Type.Optional(
            Type.Literal(true, {
              description:
                'Beside `unavailable`: its package manager may be installing it. Search again in a few seconds.',
            }),
          ),
          playbooks: Type.Optional(
            Type.Array(Type.String(), {
              description: 'Playbooks that may use the server; `*` means all. Only in an org-wide search.',
            }),
          ),
        },
        CLOSED,
      ),
      { description: 'The servers, by name.' },
    ),
    tools: Type.Array(
      Type.Object(
        {
          server: Type.String({ description: 'The server.' }),
          tool: Type.String({ description: 'The name of the tool on its server.' }),
          summary: Type.String({ description: "The first sentence of the tool's description." }),
          read_only: Type.Boolean({ description: 'Whether the server marks the tool as read-only.' }),
        },
        CLOSED,
      ),
      { description: 'The tools found. Empty if there are more than 100 and no terms were given.' },
    ),
    scopes: Type.Array(Type.String(), { description: 'The servers that were searched.' }),
  },
  CLOSED,
);
export type FoundTools = Static<typeof FoundToolsSchema>;

const hint = (description: string) => Type.Optional(Type.Boolean({ description }));

/** The response of introspect. */
export const ToolDescriptionSchema = Type.Object(
  {
    server: Type.String({ description: 'The server.' }),
    tool: Type.String({ description: 'The name of the tool on its server.' }),
    description: Type.String({ description: "The tool's description by its server, at most 4 KiB." }),
    input_schema: jsonObject('JSON Schema of the arguments, as the server publishes it.'),
    annotations: Type.Optional(
      Type.Object(
        {
          readOnlyHint: hint('The tool changes nothing.'),
          destructiveHint: hint('The tool may delete or overwrite something.'),
          idempotentHint: hint('Repeating a call has no further effect.'),
          openWorldHint: hint('The tool reaches systems beyond its server.'),
        },
        { ...CLOSED, description: 'Hints of the server about the tool; absent if there are none.' },
      ),
    ),
  },
  CLOSED,
);
export type ToolDescription = Static<typeof ToolDescriptionSchema>;

/** The response of validate. */
export const ArgumentsCheckSchema = Type.Object(
  {
    valid: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether the arguments are valid; null if the schema cannot be checked.',
    }),
    issues: Type.Array(
      Type.Object(
        {
          path: Type.String({ description: 'JSON Pointer into the arguments.' }),
          message: Type.String({ description: 'What is wrong.' }),
        },
        CLOSED,
      ),
      { description: 'The issues, at most 20 and the number of the rest; if `valid` is null, the reason.' },
    ),
  },
  CLOSED,
);
export type ArgumentsCheck = Static<typeof ArgumentsCheckSchema>;

/** The response of dry_run. */
export const DryRunSchema = Type.Object(
  {
    would_run: Type.Boolean({ description: 'Whether execute would call the tool now.' }),
    needs: Type.Literal('playbook:write', { description: 'The permission that execute needs.' }),
    caller_may: Type.Boolean({ description: 'Whether the caller has that permission.' }),
    playbook_retired: Type.Boolean({ description: 'Whether the playbook is retired: then no tool is called.' }),
    allowed: Type.Boolean({ description: 'Whether the operator allows the tool.' }),
    read_only: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether the server marks the tool as read-only; null if its list of tools was not read.',
    }),
    arguments: Type.Union([ArgumentsCheckSchema, Type.Null()], {
      description: 'The result of checking the arguments; null if none were given.',
    }),
    server: Type.Object(
      {
        reachable: Type.Enum(['yes', 'no'], { description: 'Whether the server could be reached.' }),
        because: Type.Optional(NOT_READY),
      },
      { ...CLOSED, description: 'The state of the server.' },
    ),
  },
  CLOSED,
);

/** The response of execute. */
export const ToolCallSchema = Type.Object(
  {
    call_id: Type.String({ format: 'uuid', description: 'The id of the call; its events carry it.' }),
    server: Type.String({ description: 'The server.' }),
    tool: Type.String({ description: 'The tool.' }),
    outcome: Type.Enum(['result', 'tool_error', 'server_failure', 'timed_out', 'too_large'], {
      description:
        'How the call ended. After `server_failure`, `timed_out` and `too_large` the tool may have had an effect.',
    }),
    text: Type.String({
      description: "The server's text as a model would see it; at most 64 KiB and a note.",
    }),
    answer: Type.Optional(Type.Unknown({ description: 'The result as JSON, if it has at most 64 KiB.' })),
    result_bytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Size of the whole result in bytes; null if there is none.',
    }),
    duration_ms: Type.Integer({ minimum: 0, description: 'The duration of the call in milliseconds.' }),
    server_request_id: Type.Optional(Type.String({ description: "The server's own id for the request." })),
    called_at: timestamp('When the tool was called.'),
  },
  CLOSED,
);
export type ToolCall = Static<typeof ToolCallSchema>;

const SERVER_TYPE = Type.Enum(['mcp', 'stdio', 'openapi'], {
  description: 'A remote MCP server, a program that Cuebook starts, or an HTTP API.',
});
const SERVER_NAME = Type.String({ description: 'Its name, which functions write before the slash.' });

/** The response of plan_tool_servers. */
export const ToolServerPlanSchema = Type.Object(
  {
    file: Type.String({ description: 'The configuration file.' }),
    env_file: Type.String({ description: 'The file that gets the variables.' }),
    before: Type.String({ description: 'The configuration file now, with `***` for secrets.' }),
    after: Type.String({ description: 'The configuration file after the change, with `***` for secrets.' }),
    base: Type.String({ description: 'Identifies the files that the plan was made for; add_tool_servers takes it.' }),
    servers: Type.Array(
      Type.Object(
        {
          name: SERVER_NAME,
          type: SERVER_TYPE,
          notes: Type.Array(Type.String(), {
            description: 'What a person should know of it, such as settings that are not kept.',
          }),
        },
        CLOSED,
      ),
      { description: 'The servers that would be added.' },
    ),
    variables: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'The variable.' }),
          server: Type.String({ description: 'The server whose entry refers to it.' }),
          field: Type.String({ description: 'The field that refers to it, for example `env.API_KEY`.' }),
          state: Type.Enum(['set', 'pasted', 'missing'], {
            description:
              '`set`: it is set already. `pasted`: the env file gets the value from the text. `missing`: `values` of add_tool_servers must give its value.',
          }),
        },
        CLOSED,
      ),
      { description: 'The variables that the entries refer to. Their values are never returned.' },
    ),
  },
  CLOSED,
);

/** The response of add_tool_servers. */
export const AddedToolServersSchema = Type.Object(
  {
    file: Type.String({ description: 'The configuration file.' }),
    servers: Type.Array(Type.Object({ name: SERVER_NAME, type: SERVER_TYPE }, CLOSED), {
      description: 'The servers that were added.',
    }),
  },
  CLOSED,
);
