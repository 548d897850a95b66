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
import { conflict, forbidden, invalidInput, notFound, type Refused } from '../../lib/rejection.ts';
import { requireSealingKey, type SecretStore } from '../../kernel/secrets/index.ts';
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

export class Connections {
  readonly #options: ConnectionsOptions;
  #present = new Map<string, PresentConnection>();
  #listed: readonly PresentConnection[] = [];
  readonly #removalListeners: (() => void)[] = [];

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** @throws Refused `forbidden` for a caller who may not add connections */
  requireAdder({ id }: Caller): void {
    if (this.#options.people === 'nobody') {
      throw forbidden(
        'This server has no sign-in, so no person could approve a connection: ask the operator to set up the tool server.',
      );
    }
    if (this.#options.people === 'signed_in' && !id.startsWith('person:')) {
      throw forbidden('Only a person may add a connection; sign in and add it yourself.');
    }
  }

  async add(
    org: string,
    { name, kind, entry, credential, askedBy }: NewConnection,
    caller: Caller,
  ): Promise<AddedConnection> {
    this.#requireTaken({ entry, credential });
    if (this.#options.configuredNames().includes(name)) {
      throw conflict(`The operator's configuration has a tool server ${name}; choose another name.`);
    }
    const id = this.#options.ids();
    const { token, link } = makeLink(this.#options.clock.now());
    try {
      const added = await this.#options.log.write(placeOf(org, id), async (tx) => {
        const asked = askedBy === undefined ? {} : { asked_by: askedBy };
        const data = { name, kind, entry, credential, ...asked };
        const after = await this.#record(tx, org, id, { type: 'connection_added', data, by: caller.id });
        if ((await countPresent(tx, org)) > LIMITS.connections) {
          throw conflict(
            `The org has ${LIMITS.connections} connections, which is the limit; remove one first.`,
            'connections_full',
          );
        }
        await insertLink(tx, org, id, link);
        return this.#shown(tx, org, after);
      });
      const { page, server } = this.#options.connectPage();
      const query = new URLSearchParams({ server, org, connection: id, token });
      return { ...added, connect: { url: `${page}?${query.toString()}`, expires_at: isoTime(link.expires_at) } };
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      throw conflict(`The org already has a connection ${name}; choose another name, or remove that connection first.`);
    }
  }

  /** Newest first. */
  list(org: string, includeRemoved: boolean): Promise<Connection[]> {
    return this.#options.log.read(async (tx) => {
      const all = await selectConnections(tx, org);
      const kept = all.filter(({ status }) => includeRemoved || status !== 'removed');
      const answers: Connection[] = [];
      for (const one of kept) answers.push(await this.#shown(tx, org, one));
      return answers;
    });
  }

  get(org: string, id: string): Promise<Connection> {
    return this.#options.log.read(async (tx) => this.#shown(tx, org, await requireConnection(tx, org, id)));
  }

  remove(org: string, id: string, by: string): Promise<Connection> {
    return this.#options.log.write(placeOf(org, id), async (tx) => {
      const connection = await requireConnection(tx, org, id);
      if (connection.status === 'removed') return this.#shown(tx, org, connection);
      await deleteLink(tx, org, id);
      await this.#options.secrets.forget(tx, secretPlace(org, id));
      return this.#shown(tx, org, await this.#record(tx, org, id, { type: 'connection_removed', data: {}, by }));
    });
  }

  readLink(org: string, id: string, token: string): Promise<Connection> {
    return this.#options.log.read(async (tx) => this.#shown(tx, org, await this.#requireLink(tx, org, id, token)));
  }

  approve(org: string, id: string, { token, caller }: LinkUse): Promise<Connection> {
    return this.#options.log.write(placeOf(org, id), async (tx) => {
      const connection = await this.#requireLink(tx, org, id, token);
      this.#requireAdderOf(connection, caller);
      this.#requireTaken(connection);
      if (takesValue(connection.credential)) {
        throw conflict(
          'The connection still needs its credential: enter it on the connect page, with give_credential.',
        );
      }
      return this.#connect(tx, org, id, caller.id);
    });
  }

  async give(org: string, id: string, { token, caller }: LinkUse, fields: CredentialFields): Promise<Connection> {
    const { credential } = await this.#options.log.read(async (tx) => {
      const connection = await this.#requireLink(tx, org, id, token);
      this.#requireAdderOf(connection, caller);
      this.#requireTaken(connection);
      return connection;
    });
    if (!takesValue(credential)) {
      throw conflict(`A credential of the kind ${credential.kind} has no value: approve the connection.`);
    }
    const given = readGiven(credential, fields);
    if (!given.ok) throw invalidInput(given.issues);
    const key = await requireSealingKey(this.#options.secrets);
    return this.#options.log.write(placeOf(org, id), async (tx) => {
      this.#requireTaken(await this.#requireLink(tx, org, id, token));
      await this.#options.secrets.put(tx, key, secretPlace(org, id), {
        text: JSON.stringify(given.sealed),
        shown: given.shown,
      });
      return this.#connect(tx, org, id, caller.id);
    });
  }

  /** Records that its credential cannot be read; does nothing if it is no longer connected. */
  break(org: string, id: string, why: string): Promise<void> {
    return this.#options.log.write(placeOf(org, id), async (tx) => {
      const connection = await selectConnection(tx, org, id);
      if (connection?.status !== 'connected') return;
      await this.#record(tx, org, id, { type: 'connection_broken', data: { broken: why }, by: 'runtime' });
    });
  }

  /** The connections of all orgs that were not removed; the same array until one changes. */
  present(): readonly PresentConnection[] {
    return this.#listed;
  }

  /** Calls back after each removal has been committed. */
  onRemoved(listener: () => void): void {
    this.#removalListeners.push(listener);
  }

  /** Reads the stored connections; called before anything else. */
  async load(): Promise<void> {
    const before = this.#listed.length;
    const all = await this.#options.log.read(selectPresent);
    this.#present = new Map(all.map((one) => [one.connection.id, one]));
    this.#listed = all;
    if (all.length < before) for (const listener of this.#removalListeners) listener();
  }

  #remember(org: string, connection: StoredConnection): void {
    const isRemoved = connection.status === 'removed';
    if (isRemoved) this.#present.delete(connection.id);
    else this.#present.set(connection.id, { org, connection });
    this.#listed = [...this.#present.values()];
    if (isRemoved) for (const listener of this.#removalListeners) listener();
  }

  /** Records an event of the connection. @returns the connection after it */
  async #record(
    tx: WriteTransaction,
    org: string,
    id: string,
    event: Pick<NewEvent, 'type' | 'data'> & { by: string },
  ): Promise<StoredConnection> {
    const { type, data, by } = event;
    const fact = { type, data: { connection_id: id, ...data }, metadata: { by } };
    await this.#options.log.append(tx, { ...placeOf(org, id), listed: false, events: [fact] });
    const after = await requireConnection(tx, org, id);
    tx.afterCommit(() => this.#remember(org, after));
    return after;
  }

  async #shown(tx: ReadTransaction, org: string, connection: StoredConnection): Promise<Connection> {
    const { broken, ...rest } = connection;
    const endsWith =
      connection.status === 'removed' ? null : await this.#options.secrets.shown(tx, secretPlace(org, connection.id));
    return { ...rest, credential_ends_with: endsWith, broken };
  }

  /** @throws Refused `not_found` unless the token is that of the connection's open link */
  async #requireLink(tx: ReadTransaction, org: string, id: string, token: string): Promise<StoredConnection> {
    const connection = await selectConnection(tx, org, id);
    const link = await selectLink(tx, org, id);
    if (connection === undefined || !opens(link, token, this.#options.clock.now())) {
      throw notFound(
        'The link is unknown, already used or expired. A link works once, within ten minutes; for a new link, remove the connection and add it again.',
      );
    }
    return connection;
  }

  /** The rules may have changed since it was added. @throws Refused `forbidden` */
  #requireTaken(connection: Pick<StoredConnection, 'entry' | 'credential'>): void {
    const rule = ruleAgainst(this.#options.rules(), connection, byName);
    if (rule !== undefined) throw forbidden(rule);
  }

  #requireAdderOf({ added_by: addedBy }: StoredConnection, { id, form }: Caller): void {
    if (this.#options.people === 'local' || (form === 'session' && id === addedBy)) return;
    throw forbidden('Only the person who added the connection may do this, signed in on the page.');
  }

  async #connect(tx: WriteTransaction, org: string, id: string, by: string): Promise<Connection> {
    await deleteLink(tx, org, id);
    return this.#shown(tx, org, await this.#record(tx, org, id, { type: 'connection_connected', data: {}, by }));
  }
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
