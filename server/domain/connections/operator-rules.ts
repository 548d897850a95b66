// The operator's rules for a connection, for a request that it makes, and for an address that it connects to.
import { isIP } from 'node:net';
import type { ConnectionEntry, Credential } from '../../../shared/schemas/index.ts';
import { bareHost, isLoopbackAddress, isPublicAddress } from '../../lib/http-client/index.ts';
import { type ConnectionRules, isHostMeant, type Mode } from '../../settings/index.ts';
import { isLoopbackHost } from './check-address.ts';

export interface RulesInForce {
  rules: ConnectionRules;
  mode: Mode;
}

/** How a sentence calls a host. */
type HostNaming = (url: URL) => string;

/** For the caller that named the host. */
export const byName: HostNaming = ({ hostname }) => `the host ${hostname.slice(0, 100)}`;

/** For users of a connection: it does not reveal addresses. */
const untold: HostNaming = () => 'a host that it refers to';

/** The sentence of the first rule that refuses the connection. */
export function ruleAgainst(
  given: RulesInForce,
  { entry, credential }: { entry: ConnectionEntry; credential: Credential },
  words: HostNaming = untold,
): string | undefined {
  const { rules } = given;
  if (!rules.peopleMayAdd)
    return 'The operator does not allow people to add connections (`connections.people_may_add`).';
  if (!rules.kinds.includes(credential.kind)) {
    return `The operator does not allow credentials of the kind ${credential.kind} (\`connections.credential_kinds\`).`;
  }
  if (credential.variable !== undefined && !rules.variables.includes(credential.variable)) {
    return 'The operator does not allow connections to use this variable (`connections.variables`).';
  }
  for (const address of [entry.url, entry.document, entry.base_url, credential.issuer]) {
    const against = address === undefined ? undefined : ruleAgainstUrl(given, new URL(address), words);
    if (against !== undefined) return against;
  }
  return undefined;
}

/** The sentence of the rule that refuses requests to a host; a name is not resolved. */
export function ruleAgainstUrl(given: RulesInForce, url: URL, words: HostNaming = untold): string | undefined {
  const { rules } = given;
  const host = hostOf(url);
  if (!rules.hosts.some((entry) => entry === '*' || isHostMeant(entry, host))) {
    return `The operator does not allow connections to reach ${words(url)} (\`connections.hosts\`).`;
  }
  const address = bareHost(url);
  const isRefused =
    isIP(address) === 0 ? isLoopbackHost(url) && !mayReach(given, url, '127.0.0.1') : !mayReach(given, url, address);
  return isRefused ? ruleAgainstAddress(url, words) : undefined;
}

/** Whether a request may connect to this address, which the host of its URL resolves to; without a host, any. */
export function mayReach(given: RulesInForce, url: URL | undefined, address: string): boolean {
  if (isPublicAddress(address) || (given.mode === 'local' && isLoopbackAddress(address))) return true;
  return url !== undefined && isNamed(given, url);
}

export function ruleAgainstAddress(url: URL, words: HostNaming = untold): string {
  return `Connections can reach a private address only if the operator lists its host by name (\`connections.hosts\`), and ${words(url)} has a private address.`;
}

/** Whether the operator names exactly this host, not a pattern that other hosts match too. */
export function isNamed({ rules }: RulesInForce, url: URL): boolean {
  return rules.hosts.some((entry) => entry !== '*' && !entry.isBelow && isHostMeant(entry, hostOf(url)));
}

function hostOf({ hostname, port, protocol }: URL): string {
  const standard = protocol === 'https:' ? '443' : '80';
  return `${hostname}:${port === '' ? standard : port}`;
}
