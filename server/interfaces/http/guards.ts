// What stands before every path that needs a caller: the form of Authorization, then Host, then Origin.
import type { IncomingMessage } from 'node:http';
import { Refused } from '../../lib/rejection.ts';

export interface BrowserRules {
  /** Origins of pages that may call: the studio's and those the operator lists. */
  isAllowedOrigin(origin: string): boolean;
}

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const BEARER = /^Bearer [A-Za-z0-9\-._~+/]+=*$/i;

/** The values of a header, each as it was sent: Node joins some of several and drops others. @param name in lower case */
export function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

/** @throws Refused 400 unless the request has no Authorization at all or exactly one `Bearer` value */
export function requireWellFormedAuthorization(request: IncomingMessage): void {
  if (request.headers.authorization === undefined) return;
  const [value = '', ...more] = valuesOf(request, 'authorization');
  if (more.length === 0 && BEARER.test(value)) return;
  throw new Refused({
    reason: 'bad_request',
    detail: 'The Authorization header must be given once, as `Bearer` and one key or token.',
  });
}

/** Local mode: keeps out pages that reach the loopback under a name of their own (DNS rebinding). @throws Refused 403 */
export function requireLocalHost(request: IncomingMessage): void {
  const [given = '', ...more] = valuesOf(request, 'host');
  if (more.length > 0) {
    throw new Refused({ reason: 'bad_request', detail: 'The Host header must be given once.' });
  }
  // A target with an authority of its own is meant for that, whatever Host says (RFC 9112, section 3.2.2).
  const target = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(request.url ?? '')?.[1];
  if (isLocal(given) && (target === undefined || isLocal(target))) return;
  throw new Refused({
    reason: 'forbidden',
    detail: 'In local mode the service answers to the hosts localhost, 127.0.0.1 and [::1] alone.',
  });
}

function isLocal(host: string): boolean {
  return LOCAL_HOSTS.includes(host.replace(/:\d*$/, '').toLowerCase());
}

/** @throws Refused 403 `origin_not_allowed` */
export function requireAllowedOrigin({ headers }: IncomingMessage, rules: BrowserRules): void {
  const { origin } = headers;
  if (origin === undefined || rules.isAllowedOrigin(origin)) return;
  throw new Refused({
    reason: 'origin_not_allowed',
    detail: 'A page of this origin may not call the service; the operator lists origins in ALLOWED_ORIGINS.',
  });
}

/**
 * Scripts and images that pages of other sites load come without an Origin; browsers say so by themselves (Fetch
 * Metadata). What is no browser says nothing of it.
 * @throws Refused 403 `origin_not_allowed`
 */
export function refuseOtherSites({ headers }: IncomingMessage): void {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined || (site !== 'cross-site' && site !== 'same-site')) return;
  throw new Refused({
    reason: 'origin_not_allowed',
    detail: 'A page of another site may not load this; the operator lists origins in ALLOWED_ORIGINS.',
  });
}

export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** Answers a preflight, beside the headers that let an allowed page read (Fetch Standard, section 3.2.2). */
export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT',
  'access-control-allow-headers': 'authorization, content-type, traceparent, tracestate, baggage',
  'access-control-max-age': '600',
} as const;

/** What lets an allowed page read an answer. */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    vary: 'Origin',
    'access-control-expose-headers': 'x-request-id, x-trace-id, www-authenticate',
  };
}
