import Type, { type Static } from 'typebox';
import { CONNECTION_KINDS, CONNECTION_STATUSES, CREDENTIAL_KINDS, CREDENTIAL_PLACES } from '../connection-kinds.ts';
import { timestamp } from './fields.ts';

const CLOSED = { additionalProperties: false } as const;

const address = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description, examples: ['https://api.example.com/mcp'] }));
const texts = (description: string) =>
  Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 4096 }), { maxProperties: 64, description }));

/** The server without its credential, as an entry of `tool_servers` in the configuration file has it. */
export const ConnectionEntrySchema = Type.Object(
  {
    url: address('Of a kind `mcp`: the address of the MCP server; https, or http on a loopback address.'),
    document: address(
      'Of a kind `openapi`: the address of the OpenAPI document; https, or http on a loopback address.',
    ),
    base_url: address('Of a kind `openapi`: where the API is, in place of what the document says.'),
    headers: texts('Headers that every request carries; never a credential.'),
    query_params: texts('Query parameters that every request carries; never a credential.'),
    allowed: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
        maxItems: 256,
        description: 'Names of the tools that may be used; `*` stands for any part. All of them when absent.',
      }),
    ),
    playbooks: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 48 }), {
        maxItems: 256,
        description: 'Ids of the playbooks that may use it; `*` is all. All of them when absent.',
      }),
    ),
    record_content: Type.Optional(
      Type.Boolean({ description: 'Whether the content of its calls is kept; true when absent.' }),
    ),
    request_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: "The header, or the member of a result's `_meta`, in which the server tells its own request id.",
      }),
    ),
  },
  { ...CLOSED, description: 'The server without its credential.' },
);

/** What the service sends to show who calls; never a value. */
export const CredentialSchema = Type.Object(
  {
    kind: Type.Enum(CREDENTIAL_KINDS, {
      description:
        '`none`; `secret`: a person gives a value; `reference`: a variable of the operator; `client_credentials`: tokens of an OAuth 2.0 issuer.',
    }),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description:
          'Of `secret` and `reference`: the header, query parameter or security scheme the value is sent under.',
      }),
    ),
    in: Type.Optional(
      Type.Enum(CREDENTIAL_PLACES, {
        description:
          'Of `secret` and `reference`: where the value is sent; `query` and `security` for `openapi` alone.',
      }),
    ),
    variable: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Of `reference`: a variable in `connections.variables`.',
      }),
    ),
    issuer: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        description: 'Of `client_credentials`: the issuer; https, or http on a loopback address.',
      }),
    ),
    client_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'Of `client_credentials`: the client, as its issuer knows it.',
      }),
    ),
    scope: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: 'Of `client_credentials`: what to ask for, separated by spaces.',
      }),
    ),
  },
  { ...CLOSED, description: 'How the service shows who calls; the value itself is given on the connect page.' },
);

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const CONNECTION = {
  id: Type.String({ format: 'uuid', description: 'The id.' }),
  name: Type.String({ description: 'What a function writes before the slash.' }),
  kind: Type.Enum(CONNECTION_KINDS, { description: 'How the server is spoken with.' }),
  entry: ConnectionEntrySchema,
  credential: CredentialSchema,
  status: Type.Enum(CONNECTION_STATUSES, {
    description:
      '`pending` until a person approves it or gives its credential; `broken` once its credential cannot be read.',
  }),
  added_by: Type.String({ description: 'The caller who added it.' }),
  asked_by: Type.Optional(
    Type.String({
      description:
        'The MCP client that asked for it, as it names itself: `mcp:<name>`, never verified. Absent where none did.',
    }),
  ),
  added_at: timestamp('When it was added.'),
  connected_at: Type.Union([timestamp('When it was connected.'), Type.Null()], {
    description: 'When it was approved or given its credential; null before.',
  }),
  connected_by: nullable('The caller who approved it or gave its credential; null before.'),
  credential_ends_with: nullable('The last four characters of a secret of at least twelve; else null.'),
  broken: nullable('Why it is broken; else null.'),
};

export const ConnectionSchema = Type.Object(CONNECTION, CLOSED);

export const AddedConnectionSchema = Type.Object(
  {
    ...CONNECTION,
    connect: Type.Object(
      {
        url: Type.String({
          description: 'The page on which a person approves it or gives its credential; works once.',
        }),
        expires_at: timestamp('Until when the page can be used.'),
      },
      { ...CLOSED, description: 'What the person opens.' },
    ),
  },
  CLOSED,
);

export type ConnectionEntry = Static<typeof ConnectionEntrySchema>;
export type Credential = Static<typeof CredentialSchema>;
export type Connection = Static<typeof ConnectionSchema>;
export type AddedConnection = Static<typeof AddedConnectionSchema>;
