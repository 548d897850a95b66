// Addresses that a connection may have: https, or http on a loopback address, in plain form.
import { bareHost, isLoopbackAddress } from '../../lib/http-client/index.ts';
import { isNamedLikeSecret } from './looks-secret.ts';
import { LOOKS_SECRET } from './check-texts.ts';

/** What is wrong with an address, as a sentence; undefined if it is valid. */
export function addressIssue(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\//i.test(text) || /[\\\s]/.test(text)) return TAKES;
  const [, authority = ''] = /^[a-z]+:\/\/([^/?#]*)/i.exec(text) ?? [];
  if (authority.includes('@')) return `It names a user or a password in front of the host. ${LOOKS_SECRET}`;
  const written = authority.replace(/:\d*$/, '').toLowerCase();
  if (written !== url.hostname || written.endsWith('.')) {
    return 'It writes its host in another way than addresses do; write the plain name or address, a name with other letters in its `xn--` form.';
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url)) return TAKES;
  if (text.includes('#')) return 'It has a fragment (`#...`), which is never sent; leave it out.';
  if ([...url.searchParams.keys()].some(isNamedLikeSecret)) return LOOKS_SECRET;
  return undefined;
}

const TAKES = 'It must be an https URL, or an http URL on a loopback address such as http://127.0.0.1:8080/mcp.';

/** Whether the host is a loopback address, or the name that always is one (RFC 6761, section 6.3). */
export function isLoopbackHost(url: URL): boolean {
  const host = bareHost(url);
  return host === 'localhost' || isLoopbackAddress(host);
}
