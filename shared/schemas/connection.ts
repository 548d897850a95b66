import Type, { type Static } from 'typebox';
import { CONNECTION_KINDS, CONNECTION_STATUSES, CREDENTIAL_KINDS, CREDENTIAL_PLACES } from '../connection-kinds.ts';
import { timestamp } from './fields.ts';

const CLOSED = { additionalProperties: false } as const;

const address = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description, examples: ['https://api.example.com/mcp'] }));
const texts = (description: string) =>
  Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 4096 }), { maxProperties: 64, description }));

/** The server without its credential, as in an entry of `tool_servers` in the configuration file. */
export const ConnectionEntrySchema = Type.Object(
  {
    url: address('For the kind `mcp`: the address of the MCP server; https, or http on a loopback address.'),
    document: address(
      'For the kind `openapi`: the address of the OpenAPI document; https, or http on a loopback address.',
    ),
    base_url: address('For the kind `openapi`: the base URL of the API; overrides the one in the document.'),
    headers: texts('Headers to send with every request; never a credential.'),
    query_params: texts('Query parameters to send with every request; never a credential.'),
    allowed: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
        maxItems: 256,
        description: 'Names of the tools that may be used; `*` matches any characters. If absent, all tools.',
      }),
    ),
    playbooks: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 48 }), {
        maxItems: 256,
        description: 'Ids of the playbooks that may use it; `*` means all. If absent, all playbooks.',
      }),
    ),
    record_content: Type.Optional(
      Type.Boolean({ description: 'Whether the arguments and results of its calls are stored; true if absent.' }),
    ),
    request_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description:
          "The response header, or the field of a result's `_meta`, that contains the server's own request id.",
      }),
    ),
  },
  { ...CLOSED, description: 'The server without its credential.' },
);

/** How the service authenticates to the server; never the secret itself. */
export const CredentialSchema = Type.Object(
  {
    kind: Type.Enum(CREDENTIAL_KINDS, {
      description:
        '`none`; `secret`: a person enters a value; `reference`: a variable that the operator sets; `client_credentials`: tokens from an OAuth 2.0 issuer.',
    }),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description:
          'For `secret` and `reference`: the header, query parameter or security scheme that carries the value.',
      }),
    ),
    in: Type.Optional(
      Type.Enum(CREDENTIAL_PLACES, {
        description:
          'For `secret` and `reference`: where the value is sent; `query` and `security` only with `openapi`.',
      }),
    ),
    variable: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'For `reference`: a variable in `connections.variables`.',
      }),
    ),
    issuer: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        description: 'For `client_credentials`: the issuer; https, or http on a loopback address.',
      }),
    ),
    client_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'For `client_credentials`: the client id.',
      }),
    ),
    scope: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: 'For `client_credentials`: the scopes to request, separated by spaces.',
      }),
    ),
  },
  {
    ...CLOSED,
    description: 'How the service authenticates to the server. The secret itself is entered on the connect page.',
  },
);

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const CONNECTION = {
  id: Type.String({ format: 'uuid', description: 'The id of the connection.' }),
  name: Type.String({ description: 'The name of the server, as functions refer to it: the part before the slash.' }),
  kind: Type.Enum(CONNECTION_KINDS, { description: 'The protocol of the server.' }),
  entry: ConnectionEntrySchema,
  credential: CredentialSchema,
  status: Type.Enum(CONNECTION_STATUSES, {
    description:
      '`pending` until a person approves it or enters its credential; `broken` if its credential can no longer be read.',
  }),
  added_by: Type.String({ description: 'The caller who added it.' }),
  asked_by: Type.Optional(
    Type.String({
      description:
        'The MCP client that requested it, by its own name: `mcp:<name>`, not verified. Absent if no client did.',
    }),
  ),
  added_at: timestamp('When it was added.'),
  connected_at: Type.Union([timestamp('When it was connected.'), Type.Null()], {
    description: 'When it was approved or its credential was entered; null until then.',
  }),
  connected_by: nullable('The caller who approved it or entered its credential; null until then.'),
  credential_ends_with: nullable('The last four characters of a secret that has at least twelve; otherwise null.'),
  broken: nullable('Why it is broken; otherwise null.'),
};

export const ConnectionSchema = Type.Object(CONNECTION, CLOSED);

export const AddedConnectionSchema = Type.Object(
  {
    ...CONNECTION,
    connect: Type.Object(
      {
        url: Type.String({
          description: 'The page on which a person approves it or enters its credential. The link works once.',
        }),
        expires_at: timestamp('When the link expires.'),
      },
      { ...CLOSED, description: 'The page for the person to open.' },
    ),
  },
  CLOSED,
);

export type ConnectionEntry = Static<typeof ConnectionEntrySchema>;
export type Credential = Static<typeof CredentialSchema>;
export type Connection = Static<typeof ConnectionSchema>;
export type AddedConnection = Static<typeof AddedConnectionSchema>;
