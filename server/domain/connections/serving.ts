// Connections as tool servers.
//
// 1. Whenever a connection is used, its current status, the operator's rules and its entry are checked. Its
//    credential is read at its first use after the start and kept in memory until the connection is removed.
// 2. A credential that can never be read again breaks its connection and nothing else. One that cannot be read now - the
//    data key is missing, the variable is not set - breaks nothing.
import type { ConnectionEntry } from '../../../shared/schemas/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecretStore } from '../../kernel/secrets/index.ts';
import type {
  ConnectionNotReady,
  ConnectedServers,
  ConnectedServer,
  AddSecret,
  CallerCredential,
  ConnectionCredential,
  EgressPolicy,
} from '../tools/index.ts';
import { ServerFault } from '../tools/index.ts';
import { entryIssues, entryOf, type HttpEntry } from './check-entry.ts';
import { credentialIssues } from './check-credential.ts';
import { type Connections, type PresentConnection, secretPlace, takesValue } from './connections.ts';
import type { SealedCredential } from './read-credential.ts';
import { ruleAgainst, type RulesInForce } from './operator-rules.ts';
import type { StoredConnection } from './sql.ts';
import { SettingsError } from '../../settings/index.ts';
import { createTokens } from './tokens.ts';

export interface ServingOptions {
  connections: Pick<Connections, 'present' | 'onRemoved' | 'break'>;
  secrets: Pick<SecretStore, 'open'>;
  clock: Clock;
  egress: EgressPolicy;
  rules: () => RulesInForce;
  configuredNames: () => readonly string[];
  mayBeAdded: () => boolean;
}

export function createConnected(options: ServingOptions): ConnectedServers {
  const { connections, secrets, clock, egress, rules } = options;
  const tokens = createTokens(egress, clock);
  /** The credentials of the connections that were used since the start. */
  const opened = new Map<string, SealedCredential>();
  let from: readonly PresentConnection[] = [];
  let servers: readonly ConnectedServer[] = [];

  /** @throws ServerFault */
  function requirePresent(id: string): PresentConnection {
    const present = connections.present().find((one) => one.connection.id === id);
    if (present === undefined) throw notReady('connection_broken', 'It was removed.');
    return present;
  }

  /** @throws ServerFault */
  async function open({ org, connection: { id } }: PresentConnection): Promise<SealedCredential> {
    const known = opened.get(id);
    if (known !== undefined) return known;
    const read = await secrets.open(secretPlace(org, id));
    if (!read.ok) {
      if (read.because === 'no_key') throw notReady('connection_not_allowed', read.detail);
      await connections.break(org, id, read.detail);
      throw notReady('connection_broken', `${read.detail} ${BROKEN}`);
    }
    // It may have been removed meanwhile.
    requirePresent(id);
    const sealed = JSON.parse(read.text) as SealedCredential;
    opened.set(id, sealed);
    return sealed;
  }

  async function credentialOf(present: PresentConnection, learn: AddSecret): Promise<ConnectionCredential> {
    const { id, credential } = present.connection;
    if (!takesValue(credential)) {
      if (credential.kind === 'none') return { sent: {} };
      const value = rules().rules.valueOf(credential.variable ?? '');
      if (value === undefined) {
        throw notReady('connection_not_allowed', 'The variable that its credential refers to is not set.');
      }
      learn(value);
      return { sent: sent(credential, value) };
    }
    const sealed = await open(present);
    if ('value' in sealed) {
      learn(sealed.value);
      return { sent: sent(credential, sealed.value) };
    }
    if ('client_secret' in sealed) learn(sealed.client_secret);
    const { issuer = '', client_id: clientId = '', scope } = credential;
    const token = await tokens.of(id, { issuer, clientId, scope, proof: sealed });
    learn(token);
    return { sent: { headers: { authorization: `Bearer ${token}` } }, refused: () => tokens.refused(id, token) };
  }

  function serverOf(present: PresentConnection): ConnectedServer {
    const { org, connection } = present;
    const { id, name, kind, entry } = connection;
    return {
      id,
      entry: readEntry(name, kind, org, entry),
      egress,
      async ready(learn) {
        const now = requirePresent(id);
        requireReady(options, now.connection);
        return credentialOf(now, learn);
      },
    };
  }

  function serversNow(): readonly ConnectedServer[] {
    const now = connections.present();
    if (now === from) return servers;
    from = now;
    const ids = new Set(now.map(({ connection }) => connection.id));
    for (const id of opened.keys()) {
      if (ids.has(id)) continue;
      opened.delete(id);
      tokens.forget(id);
    }
    servers = now.map(serverOf);
    return servers;
  }

  connections.onRemoved(() => void serversNow());

  return {
    servers: serversNow,
    mayBeAdded: options.mayBeAdded,
    onRemoved: (listener) => connections.onRemoved(listener),
  };
}

/** @throws ServerFault */
function requireReady(
  { rules, configuredNames }: Pick<ServingOptions, 'rules' | 'configuredNames'>,
  { name, kind, entry, credential, status, broken }: StoredConnection,
): void {
  if (status === 'pending') throw notReady('connection_pending', PENDING);
  if (status === 'broken') throw notReady('connection_broken', `${broken ?? ''} ${BROKEN}`.trim());
  const rule = ruleAgainst(rules(), { entry, credential });
  if (rule !== undefined) throw notReady('connection_not_allowed', rule);
  if (configuredNames().includes(name)) {
    throw notReady('connection_not_allowed', 'The configuration now has a tool server with its name.');
  }
  const [issue] = [...entryIssues(name, kind, entry), ...credentialIssues(kind, entry, credential)];
  if (issue !== undefined)
    throw notReady('connection_not_allowed', `Its ${issue.pointer} is no longer allowed: ${issue.detail}`);
}

/** A connection that is no longer allowed is listed all the same, and refused when it is used. */
function readEntry(name: string, kind: StoredConnection['kind'], org: string, entry: ConnectionEntry): HttpEntry {
  try {
    return entryOf(name, kind, org, entry);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return entryOf(name, 'mcp', org, { url: 'https://connection.invalid/', allowed: [] });
  }
}

const PENDING =
  'It is waiting for approval: the person who added it must open its link, or remove it and add it again.';
const BROKEN = 'Remove it and add it again.';

/** A value where the credential says that it is sent. */
function sent({ in: location, name = '' }: StoredConnection['credential'], value: string): CallerCredential {
  switch (location) {
    case 'query':
      return { queryParams: { [name]: value } };
    case 'security':
      return { security: { scheme: name, value } };
    default:
      return { headers: { [name]: value } };
  }
}

function notReady(because: ConnectionNotReady, detail: string): ServerFault {
  return new ServerFault(because, detail);
}
