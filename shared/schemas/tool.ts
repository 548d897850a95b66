// What the operations of tool servers answer.
import Type, { type Static } from 'typebox';
import { jsonObject, timestamp } from './fields.ts';

const CLOSED = { additionalProperties: false } as const;
const NOT_READY = Type.String({ description: 'Why the server could not be asked, as a word.' });

/** What search answers. */
export const FoundToolsSchema = Type.Object(
  {
    servers: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'What a function writes before the slash.' }),
          connection: Type.Optional(Type.String({ description: "A connection's id." })),
          type: Type.Enum(['mcp', 'stdio', 'openapi'], { description: 'How the server is spoken with.' }),
          record_content: Type.Boolean({ description: 'Whether the content of its calls is kept.' }),
          tool_count: Type.Optional(Type.Integer({ minimum: 0, description: 'How many tools it offers.' })),
          left_out: Type.Optional(
            Type.String({ description: 'Which tools of its list cannot be used, and why; absent where all can.' }),
          ),
          unavailable: Type.Optional(
            Type.String({ description: 'Instead of `tool_count`: why it could not be asked.' }),
          ),
          because: Type.Optional(NOT_READY),
          playbooks: Type.Optional(
            Type.Array(Type.String(), { description: 'Playbooks that may use it; `*` is all. Org-wide search only.' }),
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
          tool: Type.String({ description: "The tool's name there." }),
          summary: Type.String({ description: 'The first sentence of its description, in the words of its server.' }),
          read_only: Type.Boolean({ description: 'Whether its server marks it as one that only reads.' }),
        },
        CLOSED,
      ),
      { description: 'The tools found; none where more than 100 are there and no terms were given.' },
    ),
    scopes: Type.Array(Type.String(), { description: 'The servers that were searched.' }),
  },
  CLOSED,
);
export type FoundTools = Static<typeof FoundToolsSchema>;

const hint = (description: string) => Type.Optional(Type.Boolean({ description }));

/** What introspect answers. */
export const ToolDescriptionSchema = Type.Object(
  {
    server: Type.String({ description: 'The server.' }),
    tool: Type.String({ description: "The tool's name there." }),
    description: Type.String({ description: 'In the words of its server, at most 4 KiB.' }),
    input_schema: jsonObject('JSON Schema of the arguments, as its server gives it.'),
    annotations: Type.Optional(
      Type.Object(
        {
          readOnlyHint: hint('It changes nothing.'),
          destructiveHint: hint('It may destroy something.'),
          idempotentHint: hint('Calling it again changes nothing more.'),
          openWorldHint: hint('It reaches beyond its server.'),
        },
        { ...CLOSED, description: 'What its server says of it; absent where it says nothing.' },
      ),
    ),
  },
  CLOSED,
);
export type ToolDescription = Static<typeof ToolDescriptionSchema>;

/** What validate answers. */
export const ArgumentsCheckSchema = Type.Object(
  {
    valid: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether the arguments fit; null where the schema cannot be checked.',
    }),
    issues: Type.Array(
      Type.Object(
        {
          path: Type.String({ description: 'JSON Pointer into the arguments.' }),
          message: Type.String({ description: 'What is wrong there.' }),
        },
        CLOSED,
      ),
      { description: 'What does not fit, at most 20 and how many more; for null, why.' },
    ),
  },
  CLOSED,
);
export type ArgumentsCheck = Static<typeof ArgumentsCheckSchema>;

/** What dry_run answers. */
export const DryRunSchema = Type.Object(
  {
    would_run: Type.Boolean({ description: 'Whether execute would call the tool now.' }),
    needs: Type.Literal('playbook:write', { description: 'The permission that execute needs.' }),
    caller_may: Type.Boolean({ description: 'Whether the caller has it.' }),
    playbook_retired: Type.Boolean({ description: 'A retired playbook calls nothing.' }),
    allowed: Type.Boolean({ description: 'Whether the operator allows the tool.' }),
    read_only: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether its server marks it as one that only reads; null when its list was not read.',
    }),
    arguments: Type.Union([ArgumentsCheckSchema, Type.Null()], {
      description: 'How the arguments fit; null when none were given.',
    }),
    server: Type.Object(
      {
        reachable: Type.Enum(['yes', 'no'], { description: 'Whether it could be asked.' }),
        because: Type.Optional(NOT_READY),
      },
      { ...CLOSED, description: 'Whether the server answers.' },
    ),
  },
  CLOSED,
);

/** What execute answers. */
export const ToolCallSchema = Type.Object(
  {
    call_id: Type.String({ format: 'uuid', description: 'The call, under which its events are recorded.' }),
    server: Type.String({ description: 'The server.' }),
    tool: Type.String({ description: 'The tool.' }),
    outcome: Type.Enum(['result', 'tool_error', 'server_failure', 'timed_out', 'too_large'], {
      description: 'How it ended; after the last three the tool may have had an effect.',
    }),
    text: Type.String({
      description: 'What a model would see, in the words of the server; at most 64 KiB and a note.',
    }),
    answer: Type.Optional(Type.Unknown({ description: 'The result as JSON, where it has at most 64 KiB.' })),
    result_bytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Size of the whole result; null when there is none.',
    }),
    duration_ms: Type.Integer({ minimum: 0, description: 'How long the call took.' }),
    server_request_id: Type.Optional(Type.String({ description: "The server's own id of the request." })),
    called_at: timestamp('When it was called.'),
  },
  CLOSED,
);
export type ToolCall = Static<typeof ToolCallSchema>;
