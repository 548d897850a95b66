// URIs of RFC 3986: split by the expression of its appendix B, then each part is checked against its grammar.
import { isIPv6 } from 'node:net';

const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const SCHEME = /^[a-z][a-z0-9+.-]*$/i;
const PATH = /^(?:[a-z0-9._~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*$/i;
const QUERY_OR_FRAGMENT = /^(?:[a-z0-9._~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*$/i;
const USER = /^(?:[a-z0-9._~!$&'()*+,;=:-]|%[0-9a-f]{2})*$/i;
const NAME = /^(?:[a-z0-9._~!$&'()*+,;=-]|%[0-9a-f]{2})*$/i;
const LATER_ADDRESS = /^v[0-9a-f]+\.[a-z0-9._~!$&'()*+,;=:-]+$/i;
const HOST_AND_PORT = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::[0-9]*)?$/;

interface Uri {
  hasScheme: boolean;
  hasFragment: boolean;
}

/** A URI reference of RFC 3986, section 4.1: a URI or a relative reference. */
export function isUriReference(text: string): boolean {
  return parseUri(text) !== undefined;
}

/** An absolute URI of RFC 3986, section 4.3: with a scheme and without a fragment. */
export function isAbsoluteUri(text: string): boolean {
  const uri = parseUri(text);
  return uri !== undefined && uri.hasScheme && !uri.hasFragment;
}

/**
 * The path of a reference that names no other resource, as its reader resolves it: escapes of plain characters
 * written out, and `.` and `..` taken at their word (RFC 3986, sections 6.2.2.2 and 5.2.4). Other texts stay.
 */
export function resolvedPath(text: string): string {
  const [, scheme, authority] = PARTS.exec(text) ?? [];
  if (scheme !== undefined || authority !== undefined || !isUriReference(text)) return text;
  const plain = text.replaceAll(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCodePoint(Number.parseInt(escape.slice(1), 16));
    return /[a-z0-9._~-]/i.test(character) ? character : escape;
  });
  const hasDots = /(?:^|\/)\.\.?(?:[/?#]|$)/.test(plain);
  return hasDots ? new URL(plain, 'http://localhost').pathname : plain;
}

function parseUri(text: string): Uri | undefined {
  const [, scheme, authority, path = '', query = '', fragment] = PARTS.exec(text) ?? [];
  const isUri =
    (scheme === undefined ? !firstSegment(path).includes(':') : SCHEME.test(scheme)) &&
    (authority === undefined || isAuthority(authority)) &&
    PATH.test(path) &&
    QUERY_OR_FRAGMENT.test(query) &&
    QUERY_OR_FRAGMENT.test(fragment ?? '');
  return isUri ? { hasScheme: scheme !== undefined, hasFragment: fragment !== undefined } : undefined;
}

function firstSegment(path: string): string {
  return path.split('/', 1)[0] ?? '';
}

function isAuthority(authority: string): boolean {
  const at = authority.indexOf('@');
  const parts = HOST_AND_PORT.exec(authority.slice(at + 1));
  if (parts === null || !USER.test(authority.slice(0, Math.max(at, 0)))) return false;
  const [, literal, name = ''] = parts;
  if (literal === undefined) return NAME.test(name);
  return (isIPv6(literal) && !literal.includes('%')) || LATER_ADDRESS.test(literal);
}
