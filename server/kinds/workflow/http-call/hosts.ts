// Which hosts calls may reach. A host is said with its port, so that an entry with a port can mean that port alone.
import { misconfigured, type Failed } from './call-error.ts';

export type IsHostAllowed = (host: string) => boolean;

/** `api.example.com:443`; an IPv6 address keeps its brackets. */
export function hostOf(url: URL): string {
  return `${url.hostname.replace(/\.$/, '')}:${portOf(url)}`;
}

/** Who is asked, in words: the port is said only where it is not the usual one. */
export function hostWords(url: URL): string {
  return url.host;
}

/** The refusal where a host is not allowed. */
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
