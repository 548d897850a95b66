import Type from 'typebox';
import { flag, object, oneOf, optional, text } from '../../../shared/schemas/fields.ts';
import { KEY_ALGORITHMS } from '../../../shared/connection-kinds.ts';
import type { JsonObject } from '../../../shared/json.ts';
import {
  AddedConnectionSchema,
  type Connection,
  ConnectionEntrySchema,
  ConnectionSchema,
  CredentialSchema,
} from '../../../shared/schemas/index.ts';
import { lacksPermission } from '../../lib/rejection.ts';
import { type Call, defineOperation, type Operation } from '../../operations/index.ts';
import { NAME_FORM, SERVER_NAME } from '../../settings/index.ts';
import { credentialIssues } from './check-credential.ts';
import { entryIssues } from './check-entry.ts';
import { type Connections, noConnection } from './connections.ts';
import { mayChange, seenBy } from './seen.ts';

const TAG = 'Connections';
const READ = { readOnly: true, destructive: false, idempotent: true };
const PATH = Type.Object({ id: text("The connection's id.") });
const TOKEN = text("The token of the link, from the connect page's address.", { maxLength: 256 });
/** Any caller that has the link's token. */
const ANYONE = ['org:read', 'org:write', 'playbook:read', 'playbook:write'] as const;

const given = (description: string) => optional(text(description, { minLength: 1, maxLength: 16_384 }));

export function connectionOperations(connections: Connections): Operation[] {
  return [add(connections), ...reads(connections), ...removals(connections), ...ofLinks(connections)];
}

function add(connections: Connections): Operation {
  return defineOperation({
    name: 'add_connection',
    tag: TAG,
    title: 'Add a connection',
    description:
      'Use when a person wants a tool server that the operator has not configured; guide://connections describes the fields. Never include a key or token: name the kind of credential, and give the person `connect.url`, where they approve it or enter the credential within ten minutes. Functions then call its tools as `name/tool`.',
    permissions: ['org:write'],
    method: 'POST',
    route: '/connections',
    path: Type.Object({}),
    fields: object({
      name: text(`The part of a tool name before the slash: ${NAME_FORM}.`, {
        pattern: SERVER_NAME.source,
        examples: ['issues'],
      }),
      kind: ConnectionSchema.properties.kind,
      entry: ConnectionEntrySchema,
      credential: CredentialSchema,
    }),
    checksFields: ({ name, kind, entry, credential }) => [
      ...entryIssues(name, kind, entry),
      ...credentialIssues(kind, entry, credential),
    ],
    status: 201,
    output: AddedConnectionSchema,
    problems: ['conflict'],
    hints: { readOnly: false, destructive: false, idempotent: false },
    mcp: true,
    forAgents: { guide: 'connections' },
    async precheck({ caller }) {
      connections.requireAdder(caller);
    },
    async handle({ caller, org, client }, connection) {
      connections.requireAdder(caller);
      return connections.add(org, { ...connection, askedBy: client }, caller);
    },
  });
}

function reads(connections: Connections): Operation[] {
  return [
    defineOperation({
      name: 'list_connections',
      tag: TAG,
      title: 'List connections',
      description:
        'Use to see which tool servers people added, and whether they are ready; newest first, without credentials.',
      permissions: ['org:read'],
      method: 'GET',
      route: '/connections',
      path: Type.Object({}),
      fields: object({ include_removed: optional(flag('Default: false.')) }),
      output: object({ connections: Type.Array(ConnectionSchema) }),
      problems: [],
      hints: READ,
      mcp: true,
      async handle(call, { include_removed = false }) {
        const all = await connections.list(call.org, include_removed);
        return { connections: all.flatMap((connection) => seenBy(call, ['org:read'], connection) ?? []) };
      },
    }),
    defineOperation({
      name: 'get_connection',
      tag: TAG,
      title: 'Get a connection',
      description: 'Returns a connection, removed or not, without its credential. An unknown id is `not_found`.',
      permissions: ['org:read'],
      method: 'GET',
      route: '/connections/{id}',
      path: PATH,
      output: ConnectionSchema,
      problems: [],
      hints: READ,
      mcp: false,
      forAgents: { instead: { tool: 'list_connections' } },
      async handle(call, { id }) {
        const seen = seenBy(call, ['org:read'], await connections.get(call.org, id));
        if (seen === undefined) throw noConnection(call.org, id);
        return seen;
      },
    }),
  ];
}

function removals(connections: Connections): Operation[] {
  const common = {
    tag: TAG,
    permissions: ['org:write'],
    path: PATH,
    output: ConnectionSchema,
    problems: [],
    hints: { readOnly: false, destructive: true, idempotent: true },
  } as const;
  const remove = async (call: Call, { id }: { id: string }): Promise<Connection> => {
    const connection = await connections.get(call.org, id);
    if (seenBy(call, ['org:write'], connection) === undefined) throw noConnection(call.org, id);
    if (!mayChange(call, connection)) {
      throw lacksPermission(
        'The key is limited to some playbooks, and other playbooks may use this connection too; it needs the permission org:write over all of them.',
      );
    }
    return connections.remove(call.org, id, call.caller.id);
  };
  return [
    defineOperation({
      ...common,
      name: 'remove_connection',
      title: 'Remove a connection',
      description:
        'Use when a connection is no longer wanted, or to give it another credential (remove it, then add it again). Its credential is deleted, and its name can be used again.',
      method: 'DELETE',
      route: '/connections/{id}',
      mcp: true,
      handle: remove,
    }),
    defineOperation({
      ...common,
      name: 'remove_connection_by_post',
      title: 'Remove a connection from a page',
      description: 'Same as remove_connection, for pages of other origins, whose preflight does not allow DELETE.',
      method: 'POST',
      route: '/connections/{id}/remove',
      mcp: false,
      addition: true,
      handle: remove,
    }),
  ];
}

/** The routes of the connect page. Without the token of an open link they say nothing, nor of other playbooks. */
function ofLinks(connections: Connections): Operation[] {
  const readLink = async (call: Pick<Call, 'caller' | 'org'>, id: string, token: string): Promise<Connection> => {
    const seen = seenBy(call, ANYONE, await connections.readLink(call.org, id, token));
    if (seen === undefined) throw noConnection(call.org, id);
    return seen;
  };
  const refuseWithoutLink = async (
    call: Pick<Call, 'caller' | 'org'>,
    { id }: { id: string },
    { token }: JsonObject,
  ): Promise<void> => {
    await readLink(call, id, typeof token === 'string' ? token : '');
  };
  return [
    defineOperation({
      name: 'read_link',
      tag: TAG,
      title: 'Read a connect link',
      description: 'For the connect page: returns the connection that an open link belongs to.',
      permissions: ANYONE,
      method: 'GET',
      route: '/connections/{id}/link/{token}',
      path: Type.Object({ ...PATH.properties, token: TOKEN }),
      output: ConnectionSchema,
      problems: [],
      hints: READ,
      mcp: false,
      handle: (call, { id, token }) => readLink(call, id, token),
    }),
    defineOperation({
      name: 'approve',
      tag: TAG,
      title: 'Approve a connection',
      description:
        'For the connect page: approves a connection whose credential is of the kind `none` or `reference`. The link cannot be used again. A connection that needs a value is `conflict`: use give_credential.',
      permissions: ANYONE,
      method: 'POST',
      route: '/connections/{id}/approve',
      path: PATH,
      fields: object({ token: TOKEN }),
      output: ConnectionSchema,
      problems: ['conflict'],
      hints: { readOnly: false, destructive: false, idempotent: false },
      mcp: false,
      precheck: refuseWithoutLink,
      async handle(call, { id, token }) {
        await readLink(call, id, token);
        return connections.approve(call.org, id, { token, caller: call.caller });
      },
    }),
    defineOperation({
      name: 'give_credential',
      tag: TAG,
      title: 'Set the credential of a connection',
      description:
        'For the connect page: encrypts the credential and connects the tool server. The link cannot be used again. Send `value` for a secret; `client_secret`, or `private_key` with `algorithm`, for client_credentials. A connection that needs no value is `conflict`: use approve.',
      permissions: ANYONE,
      method: 'POST',
      route: '/connections/{id}/credential',
      path: PATH,
      fields: object({
        token: TOKEN,
        value: given(
          'For a `secret`: the value exactly as it is sent; at least 8 characters, not counting a scheme such as `Bearer`.',
        ),
        client_secret: given('For `client_credentials`: the secret of the client; at least 8 characters.'),
        private_key: given(
          'For `client_credentials`: the private key of the client, in PEM form without a password or as a JWK.',
        ),
        algorithm: optional(oneOf('With `private_key`: the algorithm that it signs with.', KEY_ALGORITHMS)),
      }),
      output: ConnectionSchema,
      problems: ['conflict'],
      hints: { readOnly: false, destructive: false, idempotent: false },
      mcp: false,
      precheck: refuseWithoutLink,
      async handle(call, { id, token, ...fields }) {
        await readLink(call, id, token);
        return connections.give(call.org, id, { token, caller: call.caller }, fields);
      },
    }),
  ];
}
