// Checks before every route that needs a caller: the form of Authorization, then Host, then Origin.
import type { IncomingMessage } from 'node:http';
import { Refused } from '../../lib/rejection.ts';

export interface BrowserRules {
  /** Origins whose pages may call the service: the studio's and those that the operator lists. */
  isAllowedOrigin(origin: string): boolean;
}

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const BEARER = /^Bearer [A-Za-z0-9\-._~+/]+=*$/i;

/** The values of a header as they were sent: Node joins some repeated headers and drops others. @param name in lower case */
export function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

/** @throws Refused 400 unless the request has no Authorization header or exactly one `Bearer` value */
export function requireWellFormedAuthorization(request: IncomingMessage): void {
  if (request.headers.authorization === undefined) return;
  const [value = '', ...more] = valuesOf(request, 'authorization');
  if (more.length === 0 && BEARER.test(value)) return;
  throw new Refused({
    reason: 'bad_request',
    detail: 'Send one Authorization header: `Bearer` followed by one key or token.',
  });
}

/** Local mode: refuses pages that reach the loopback address under another host name (DNS rebinding). @throws Refused 403 */
export function requireLocalHost(request: IncomingMessage): void {
  const [given = '', ...more] = valuesOf(request, 'host');
  if (more.length > 0) {
    throw new Refused({ reason: 'bad_request', detail: 'Send exactly one Host header.' });
  }
  // The authority of an absolute request target overrides Host (RFC 9112, section 3.2.2).
  const target = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(request.url ?? '')?.[1];
  if (isLocal(given) && (target === undefined || isLocal(target))) return;
  throw new Refused({
    reason: 'forbidden',
    detail: 'In local mode, the Host must be localhost, 127.0.0.1 or [::1].',
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
    detail: 'Pages of this origin may not call the service. The operator can add the origin to ALLOWED_ORIGINS.',
  });
}

/**
 * Scripts and images that pages of other sites load are requested without an Origin header; browsers mark them with
 * Fetch Metadata. Other clients send no such headers.
 * @throws Refused 403 `origin_not_allowed`
 */
export function refuseOtherSites({ headers }: IncomingMessage): void {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined || (site !== 'cross-site' && site !== 'same-site')) return;
  throw new Refused({
    reason: 'origin_not_allowed',
    detail: 'Pages of another site may not load this. The operator can add their origin to ALLOWED_ORIGINS.',
  });
}

/**
 * The origin of the page that sent a request. Browsers send no Origin with a GET or HEAD of the page's own origin; there,
 * Fetch Metadata says that the page is the server's own. Pages can set neither.
 * @param own the origin of the server's own page
 */
export function originOf({ headers }: IncomingMessage, own: string | undefined): string | undefined {
  const { origin, 'sec-fetch-site': site } = headers;
  return origin ?? (site === 'same-origin' ? own : undefined);
}

export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** Headers of a preflight response, in addition to those that let a page read it (Fetch Standard, section 3.2.2). */
export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT',
  'access-control-allow-headers': 'authorization, content-type, traceparent, tracestate, baggage',
  'access-control-max-age': '600',
} as const;

/** Headers that let an allowed page read a response. */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'x-request-id, x-trace-id, www-authenticate',
  };
}
