// The hosts that calls may reach. A host includes its port, so that an entry with a port matches only that port.
import { misconfigured, type Failed } from './call-error.ts';

export type IsHostAllowed = (host: string) => boolean;

/** `api.example.com:443`; an IPv6 address keeps its brackets. */
export function hostOf(url: URL): string {
  return `${url.hostname.replace(/\.$/, '')}:${portOf(url)}`;
}

/** The host in messages; the port is omitted if it is the default. */
export function hostWords(url: URL): string {
  return url.host;
}

/** The error if a host is not allowed. */
export function refusedHost(url: URL, isHostAllowed: IsHostAllowed): Failed | undefined {
  if (isHostAllowed(hostOf(url))) return undefined;
  return misconfigured(
    `Workflows of this playbook may not call ${hostWords(url)}; the operator can add it to \`workflow_http\`.`,
  );
}

function portOf(url: URL): string {
  if (url.port !== '') return url.port;
  return url.protocol === 'https:' ? '443' : '80';
}
