// Connections: tool servers that people add, approve, and give a credential to.
//
// 1. Changes of a connection are events of its own stream, which no list of events shows. The log never holds a
//    credential or a token: the secret store holds the credential, sealed, and a table the SHA-256 digest of the token.
// 2. A link is used up in the transaction that uses it.
// 3. Without the token of an open link the link routes reveal nothing.
import { LIMITS } from '../../../shared/limits.ts';
import type { AddedConnection, Connection, ConnectionEntry, Credential } from '../../../shared/schemas/index.ts';
import { type Clock, isoTime } from '../../lib/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import {
  type EventLog,
  type NewEvent,
  type ReadTransaction,
  UniqueViolation,
  type WriteTransaction,
} from '../../kernel/log/index.ts';
import { conflict, forbidden, invalidInput, notFound, type Refused, unavailable } from '../../lib/rejection.ts';
import { NoDataKey, type SecretStore } from '../../kernel/secrets/index.ts';
import type { Caller } from '../../operations/index.ts';
import { type CredentialFields, readGiven } from './read-credential.ts';
import { makeLink, opens } from './links.ts';
import { byName, ruleAgainst, type RulesInForce } from './operator-rules.ts';
import { placeOf } from './projection.ts';
import {
  countPresent,
  deleteLink,
  insertLink,
  selectConnection,
  selectConnections,
  selectLink,
  selectPresent,
  type StoredConnection,
} from './sql.ts';

/** Who may add connections: the person at this machine, signed-in people, or nobody (a key alone cannot approve). */
export type ApprovalMode = 'local' | 'signed_in' | 'nobody';

export interface NewConnection {
  name: string;
  kind: Connection['kind'];
  entry: ConnectionEntry;
  credential: Credential;
  /** The MCP client that asks for it. */
  askedBy?: string | undefined;
}

/** Who a request of the connect page comes from, and what proves it. */
export interface LinkUse {
  token: string;
  caller: Caller;
}

export interface Connections {
  /** @throws Refused `forbidden` for a caller who may not add connections */
  requireAdder: (caller: Caller) => void;
  add: (org: string, connection: NewConnection, caller: Caller) => Promise<AddedConnection>;
  /** Newest first. */
  list: (org: string, includeRemoved: boolean) => Promise<Connection[]>;
  get: (org: string, id: string) => Promise<Connection>;
  remove: (org: string, id: string, by: string) => Promise<Connection>;
  readLink: (org: string, id: string, token: string) => Promise<Connection>;
  approve: (org: string, id: string, use: LinkUse) => Promise<Connection>;
  give: (org: string, id: string, use: LinkUse, fields: CredentialFields) => Promise<Connection>;
  /** Records that its credential cannot be read; does nothing if it is no longer connected. */
  break: (org: string, id: string, why: string) => Promise<void>;
  /** The connections of all orgs that were not removed; the same array until one changes. */
  present: () => readonly PresentConnection[];
  /** Calls back after each removal has been committed. */
  onRemoved: (tell: () => void) => void;
  /** Reads the stored connections; called before anything else. */
  load: () => Promise<void>;
}

export interface PresentConnection {
  org: string;
  connection: StoredConnection;
}

export interface ConnectionsOptions {
  log: EventLog;
  secrets: SecretStore;
  clock: Clock;
  ids: Ids;
  people: ApprovalMode;
  rules: () => RulesInForce;
  /** Names of the tool servers in the configuration. */
  configuredNames: () => readonly string[];
  /** The page that a link leads to, without its query, and this server's own origin. */
  connectPage: () => { page: string; server: string };
}

/** Where the secret store keeps a connection's credential. */
export function secretPlace(org: string, id: string) {
  return { org, owner: `connection/${id}` };
}

export function createConnections(options: ConnectionsOptions): Connections {
  const { log, secrets, clock, ids } = options;
  let present = new Map<string, PresentConnection>();
  let listed: readonly PresentConnection[] = [];
  const removalTold: (() => void)[] = [];

  function remember(org: string, connection: StoredConnection): void {
    const isRemoved = connection.status === 'removed';
    if (isRemoved) present.delete(connection.id);
    else present.set(connection.id, { org, connection });
    listed = [...present.values()];
    if (isRemoved) for (const tell of removalTold) tell();
  }

  /** Records an event of the connection. @returns the connection after it */
  async function record(
    tx: WriteTransaction,
    org: string,
    id: string,
    event: Pick<NewEvent, 'type' | 'data'> & { by: string },
  ): Promise<StoredConnection> {
    const { type, data, by } = event;
    const fact = { type, data: { connection_id: id, ...data }, metadata: { by } };
    await log.append(tx, { ...placeOf(org, id), listed: false, events: [fact] });
    const after = await requireConnection(tx, org, id);
    tx.afterCommit(() => remember(org, after));
    return after;
  }

  async function shown(tx: ReadTransaction, org: string, connection: StoredConnection): Promise<Connection> {
    const { broken, ...rest } = connection;
    const endsWith = connection.status === 'removed' ? null : await secrets.shown(tx, secretPlace(org, connection.id));
    return { ...rest, credential_ends_with: endsWith, broken };
  }

  /** @throws Refused `not_found` unless the token is that of the connection's open link */
  async function requireLink(tx: ReadTransaction, org: string, id: string, token: string): Promise<StoredConnection> {
    const connection = await selectConnection(tx, org, id);
    const link = await selectLink(tx, org, id);
    if (connection === undefined || !opens(link, token, clock.now())) {
      throw notFound(
        'The link is unknown, already used or expired. A link works once, within ten minutes; for a new link, remove the connection and add it again.',
      );
    }
    return connection;
  }

  /** The rules may have changed since it was added. @throws Refused `forbidden` */
  function requireTaken(connection: Pick<StoredConnection, 'entry' | 'credential'>): void {
    const against = ruleAgainst(options.rules(), connection, byName);
    if (against !== undefined) throw forbidden(against);
  }

  function requireAdderOf({ added_by: addedBy }: StoredConnection, { id, form }: Caller): void {
    if (options.people === 'local' || (form === 'session' && id === addedBy)) return;
    throw forbidden('Only the person who added the connection may do this, signed in on the page.');
  }

  async function connect(tx: WriteTransaction, org: string, id: string, by: string): Promise<Connection> {
    await deleteLink(tx, org, id);
    return shown(tx, org, await record(tx, org, id, { type: 'connection_connected', data: {}, by }));
  }

  async function sealingKey() {
    try {
      return await secrets.sealingKey();
    } catch (error) {
      throw error instanceof NoDataKey
        ? unavailable(`The secret store cannot encrypt anything now, so nothing was changed. ${error.message}`)
        : error;
    }
  }

  async function load(): Promise<void> {
    const before = listed.length;
    const all = await log.read(selectPresent);
    present = new Map(all.map((one) => [one.connection.id, one]));
    listed = all;
    if (all.length < before) for (const tell of removalTold) tell();
  }

  return {
    requireAdder({ id }) {
      if (options.people === 'nobody') {
        throw forbidden(
          'This server has no sign-in, so no person could approve a connection: ask the operator to set up the tool server.',
        );
      }
      if (options.people === 'signed_in' && !id.startsWith('person:')) {
        throw forbidden('Only a person may add a connection; sign in and add it yourself.');
      }
    },

    async add(org, { name, kind, entry, credential, askedBy }, caller) {
      requireTaken({ entry, credential });
      if (options.configuredNames().includes(name)) {
        throw conflict(`The operator's configuration has a tool server ${name}; choose another name.`);
      }
      const id = ids();
      const { token, link } = makeLink(clock.now());
      try {
        const added = await log.write(placeOf(org, id), async (tx) => {
          const asked = askedBy === undefined ? {} : { asked_by: askedBy };
          const data = { name, kind, entry, credential, ...asked };
          const after = await record(tx, org, id, { type: 'connection_added', data, by: caller.id });
          if ((await countPresent(tx, org)) > LIMITS.connections) {
            throw conflict(
              `The org has ${LIMITS.connections} connections, which is the limit; remove one first.`,
              'connections_full',
            );
          }
          await insertLink(tx, org, id, link);
          return shown(tx, org, after);
        });
        const { page, server } = options.connectPage();
        const query = new URLSearchParams({ server, org, connection: id, token });
        return { ...added, connect: { url: `${page}?${query.toString()}`, expires_at: isoTime(link.expires_at) } };
      } catch (error) {
        if (!(error instanceof UniqueViolation)) throw error;
        throw conflict(
          `The org already has a connection ${name}; choose another name, or remove that connection first.`,
        );
      }
    },

    list: (org, includeRemoved) =>
      log.read(async (tx) => {
        const all = await selectConnections(tx, org);
        const kept = all.filter(({ status }) => includeRemoved || status !== 'removed');
        const answers: Connection[] = [];
        for (const one of kept) answers.push(await shown(tx, org, one));
        return answers;
      }),

    get: (org, id) => log.read(async (tx) => shown(tx, org, await requireConnection(tx, org, id))),

    remove: (org, id, by) =>
      log.write(placeOf(org, id), async (tx) => {
        const connection = await requireConnection(tx, org, id);
        if (connection.status === 'removed') return shown(tx, org, connection);
        await deleteLink(tx, org, id);
        await secrets.forget(tx, secretPlace(org, id));
        return shown(tx, org, await record(tx, org, id, { type: 'connection_removed', data: {}, by }));
      }),

    readLink: (org, id, token) => log.read(async (tx) => shown(tx, org, await requireLink(tx, org, id, token))),

    approve: (org, id, { token, caller }) =>
      log.write(placeOf(org, id), async (tx) => {
        const connection = await requireLink(tx, org, id, token);
        requireAdderOf(connection, caller);
        requireTaken(connection);
        if (takesValue(connection.credential)) {
          throw conflict(
            'The connection still needs its credential: enter it on the connect page, with give_credential.',
          );
        }
        return connect(tx, org, id, caller.id);
      }),

    async give(org, id, { token, caller }, fields) {
      const { credential } = await log.read(async (tx) => {
        const connection = await requireLink(tx, org, id, token);
        requireAdderOf(connection, caller);
        requireTaken(connection);
        return connection;
      });
      if (!takesValue(credential)) {
        throw conflict(`A credential of the kind ${credential.kind} has no value: approve the connection.`);
      }
      const given = readGiven(credential, fields);
      if (!given.ok) throw invalidInput(given.issues);
      const key = await sealingKey();
      return log.write(placeOf(org, id), async (tx) => {
        requireTaken(await requireLink(tx, org, id, token));
        await secrets.put(tx, key, secretPlace(org, id), { text: JSON.stringify(given.sealed), shown: given.shown });
        return connect(tx, org, id, caller.id);
      });
    },

    break: (org, id, why) =>
      log.write(placeOf(org, id), async (tx) => {
        const connection = await selectConnection(tx, org, id);
        if (connection?.status !== 'connected') return;
        await record(tx, org, id, { type: 'connection_broken', data: { broken: why }, by: 'runtime' });
      }),

    present: () => listed,

    onRemoved(tell) {
      removalTold.push(tell);
    },

    load,
  };
}

/** Whether a person enters a value in addition to approving. */
export function takesValue({ kind }: Credential): boolean {
  return kind === 'secret' || kind === 'client_credentials';
}

/** @throws Refused `not_found` */
async function requireConnection(tx: ReadTransaction, org: string, id: string): Promise<StoredConnection> {
  const connection = await selectConnection(tx, org, id);
  if (connection !== undefined) return connection;
  throw noConnection(org, id);
}

export function noConnection(org: string, id: string): Refused {
  return notFound(`The org ${org} has no connection ${id.slice(0, 64)}; list_connections shows its connections.`);
}
