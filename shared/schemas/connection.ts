import Type, { type Static } from 'typebox';
import { CONNECTION_KINDS, CONNECTION_STATUSES, CREDENTIAL_KINDS, CREDENTIAL_PLACES } from '../connection-kinds.ts';
import { flag, list, object, oneOf, optional, orNull, text, timestamp } from './fields.ts';

const address = (description: string) => optional(text(description, { minLength: 1, maxLength: 2048 }));
const texts = (description: string) =>
  optional(Type.Record(Type.String(), Type.String({ maxLength: 4096 }), { maxProperties: 64, description }));

/** The server without its credential, as in an entry of `tool_servers` in the configuration file. */
export const ConnectionEntrySchema = object('The server without its credential.', {
  url: address(
    '`mcp`: the address of the server, such as https://api.example.com/mcp; http only on a loopback address.',
  ),
  document: address('`openapi`: the address of the OpenAPI document.'),
  base_url: address('`openapi`: the base URL of the API, if not the one in the document.'),
  headers: texts('Sent with every request; never a credential.'),
  query_params: texts('Sent with every request; never a credential.'),
  allowed: optional(
    list(
      'The tools that may be used; `*` matches any characters. Default: all.',
      Type.String({ minLength: 1, maxLength: 128 }),
      { maxItems: 256 },
    ),
  ),
  playbooks: optional(
    list('The playbooks that may use it. Default: all.', Type.String({ minLength: 1, maxLength: 48 }), {
      maxItems: 256,
    }),
  ),
  record_content: optional(flag('Whether arguments and results are stored. Default: true.')),
  request_id: optional(
    text("The response header, or field of a result's `_meta`, with the server's request id.", {
      minLength: 1,
      maxLength: 128,
    }),
  ),
});

/** How the service authenticates to the server; never the secret itself. */
export const CredentialSchema = object(
  'How the service authenticates. The secret itself is entered on the connect page.',
  {
    kind: oneOf(
      '`secret`: a person enters a value; `reference`: a variable of the operator; `client_credentials`: OAuth 2.0.',
      CREDENTIAL_KINDS,
    ),
    name: optional(
      text('`secret`, `reference`: the header, query parameter or security scheme that carries the value.', {
        minLength: 1,
        maxLength: 128,
      }),
    ),
    in: optional(
      oneOf('`secret`, `reference`: where it is sent; `query` and `security` only with `openapi`.', CREDENTIAL_PLACES),
    ),
    variable: optional(text('`reference`: one of `connections.variables`.', { minLength: 1, maxLength: 128 })),
    issuer: optional(text('`client_credentials`: the URL of the issuer.', { minLength: 1, maxLength: 2048 })),
    client_id: optional(text('`client_credentials` only.', { minLength: 1, maxLength: 512 })),
    scope: optional(text('`client_credentials`: scopes, separated by spaces.', { minLength: 1, maxLength: 1024 })),
  },
);

const nullable = (description: string) => orNull(description, Type.String());

const CONNECTION = {
  id: text('The id of the connection.', { format: 'uuid' }),
  name: text('The name of the server, as functions refer to it: the part before the slash.'),
  kind: oneOf('The protocol of the server.', CONNECTION_KINDS),
  entry: ConnectionEntrySchema,
  credential: CredentialSchema,
  status: oneOf(
    '`pending` until a person approves it or enters its credential; `broken` if its credential can no longer be read.',
    CONNECTION_STATUSES,
  ),
  added_by: text('The caller who added it.'),
  asked_by: optional(
    text('The MCP client that requested it, by its own name: `mcp:<name>`, not verified. Absent if no client did.'),
  ),
  added_at: timestamp('When it was added.'),
  connected_at: orNull(
    'When it was approved or its credential was entered; null until then.',
    timestamp('When it was connected.'),
  ),
  connected_by: nullable('The caller who approved it or entered its credential; null until then.'),
  credential_ends_with: nullable('The last four characters of a secret that has at least twelve; otherwise null.'),
  broken: nullable('Why it is broken; otherwise null.'),
};

export const ConnectionSchema = object(CONNECTION);

export const AddedConnectionSchema = object({
  ...CONNECTION,
  connect: object('The page for the person to open.', {
    url: text('The page on which a person approves it or enters its credential. The link works once.'),
    expires_at: timestamp('When the link expires.'),
  }),
});

export type ConnectionEntry = Static<typeof ConnectionEntrySchema>;
export type Credential = Static<typeof CredentialSchema>;
export type Connection = Static<typeof ConnectionSchema>;
export type AddedConnection = Static<typeof AddedConnectionSchema>;
