import type { ServerFaultKind } from './server.ts';
import { isSecretName } from './set-up/secret-values.ts';

export interface HttpFault {
  because: ServerFaultKind;
  /** A sentence about the server, without any address. */
  detail: string;
}

/** What was sent, and what the server asks for. */
export interface Refusal {
  sendsCredential: boolean;
  /** The `WWW-Authenticate` header. */
  challenge?: string | null | undefined;
}

/** What a status says that is no answer. */
export function faultOf(status: number, refusal: Refusal): HttpFault | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 401 || status === 403) {
    return { because: 'key_refused', detail: refusedWords(status, refusal) };
  }
  if (status === 429)
    return { because: 'rate_limited', detail: 'It is limiting requests (HTTP 429); try again later.' };
  if (status >= 300 && status < 400) {
    return { because: 'failing', detail: `It responded with a redirect (HTTP ${status}); redirects are not followed.` };
  }
  return { because: 'failing', detail: `It responded with HTTP ${status}.` };
}

function refusedWords(status: 401 | 403, { sendsCredential, challenge }: Refusal): string {
  const lacking = sendsCredential ? missingPermission(status, challenge) : undefined;
  if (lacking !== undefined) return lacking;
  if (sendsCredential && problemOf(challenge) === 'invalid_token') {
    return `It rejected the credential of its entry (HTTP ${status}): the token is invalid, or has expired or been revoked. Give its entry a new one.`;
  }
  if (sendsCredential) return `It rejected the credential of its entry (HTTP ${status}).`;
  // RFC 6750, section 3, and RFC 9728, section 5.1.
  if (/\b(?:bearer|dpop)\b|resource_metadata/i.test(challenge ?? '')) {
    return `It wants a sign-in (OAuth), and its entry has no credential (HTTP ${status}). Cuebook does not sign in to servers; if the service has access tokens or API keys, give its entry one.`;
  }
  return `It wants a credential, and its entry has none (HTTP ${status}).`;
}

const problemOf = (challenge: string | null | undefined): string | undefined =>
  /\berror="?(\w+)/.exec(challenge ?? '')?.[1];

/** What a challenge says of a credential whose scope is not enough (RFC 6750, section 3.1); undefined for any other. */
export function missingPermission(status: number, challenge: string | null | undefined): string | undefined {
  if (problemOf(challenge) !== 'insufficient_scope') return undefined;
  const demanded = scopeWords(challenge ?? '');
  return `The credential of its entry lacks a permission (HTTP ${status})${demanded}; give its entry one that has it.`;
}

const MOST_SCOPES = 8;

/** The scopes that a challenge names, where they are words: an address is not shown. */
function scopeWords(challenge: string): string {
  const scopes = (/\bscope="([^"]{1,1000})"/.exec(challenge)?.[1] ?? '').split(' ');
  const shown = scopes.filter((scope) => /^[\w.:-]{1,64}$/.test(scope)).slice(0, MOST_SCOPES);
  return shown.length === 0 ? '' : `: it demands ${shown.map((scope) => `\`${scope}\``).join(', ')}`;
}

/** Whether headers or query parameters show who calls. */
export function sendsCredential({ headers, queryParams, secrets }: SentFields): boolean {
  return secrets.length > 0 || [...Object.keys(headers), ...Object.keys(queryParams)].some(isSecretName);
}

interface SentFields {
  headers: Readonly<Record<string, string>>;
  queryParams: Readonly<Record<string, string>>;
  /** Values of variables that the entry names, in its address too. */
  secrets: readonly string[];
}

const LONGEST = 24 * 60 * 60;

/** The seconds that a `Retry-After` header asks for (RFC 9110, section 10.2.3), where it names seconds. */
export function retryAfterOf(header: string | null | undefined): { retryAfter?: number } {
  if (header === null || header === undefined || !/^\d{1,9}$/.test(header.trim())) return {};
  return { retryAfter: Math.min(Number(header), LONGEST) };
}
