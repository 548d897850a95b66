import Type, { type Static } from 'typebox';
import { CONNECTION_KINDS, CONNECTION_STATUSES, CREDENTIAL_KINDS, CREDENTIAL_PLACES } from '../connection-kinds.ts';
import { timestamp } from './fields.ts';

const CLOSED = { additionalProperties: false } as const;

const address = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description }));
const texts = (description: string) =>
  Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 4096 }), { maxProperties: 64, description }));

/** The server without its credential, as in an entry of `tool_servers` in the configuration file. */
export const ConnectionEntrySchema = Type.Object(
  {
    url: address(
      '`mcp`: the address of the server, such as https://api.example.com/mcp; http only on a loopback address.',
    ),
    document: address('`openapi`: the address of the OpenAPI document.'),
    base_url: address('`openapi`: the base URL of the API, if not the one in the document.'),
    headers: texts('Sent with every request; never a credential.'),
    query_params: texts('Sent with every request; never a credential.'),
    allowed: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
        maxItems: 256,
        description: 'The tools that may be used; `*` matches any characters. Default: all.',
      }),
    ),
    playbooks: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 48 }), {
        maxItems: 256,
        description: 'The playbooks that may use it. Default: all.',
      }),
    ),
    record_content: Type.Optional(
      Type.Boolean({ description: 'Whether arguments and results are stored. Default: true.' }),
    ),
    request_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: "The response header, or field of a result's `_meta`, with the server's request id.",
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
        '`secret`: a person enters a value; `reference`: a variable of the operator; `client_credentials`: OAuth 2.0.',
    }),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: '`secret`, `reference`: the header, query parameter or security scheme that carries the value.',
      }),
    ),
    in: Type.Optional(
      Type.Enum(CREDENTIAL_PLACES, {
        description: '`secret`, `reference`: where it is sent; `query` and `security` only with `openapi`.',
      }),
    ),
    variable: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: '`reference`: one of `connections.variables`.',
      }),
    ),
    issuer: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        description: '`client_credentials`: the URL of the issuer.',
      }),
    ),
    client_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: '`client_credentials` only.',
      }),
    ),
    scope: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: '`client_credentials`: scopes, separated by spaces.',
      }),
    ),
  },
  {
    ...CLOSED,
    description: 'How the service authenticates. The secret itself is entered on the connect page.',
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
