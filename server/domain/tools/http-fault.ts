import type { ServerFaultKind } from './server.ts';

export interface HttpFault {
  because: ServerFaultKind;
  /** A sentence about the server, without any address. */
  detail: string;
}

/** What a status says that is no answer. */
export function faultOf(status: number): HttpFault | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 401 || status === 403) {
    return { because: 'key_refused', detail: `It rejected the credential of its entry (HTTP ${status}).` };
  }
  if (status === 429)
    return { because: 'rate_limited', detail: 'It is limiting requests (HTTP 429); try again later.' };
  if (status >= 300 && status < 400) {
    return { because: 'failing', detail: `It responded with a redirect (HTTP ${status}); redirects are not followed.` };
  }
  return { because: 'failing', detail: `It responded with HTTP ${status}.` };
}

const LONGEST = 24 * 60 * 60;

/** The seconds that a `Retry-After` header asks for (RFC 9110, section 10.2.3), where it names seconds. */
export function retryAfterOf(header: string | null | undefined): { retryAfter?: number } {
  if (header === null || header === undefined || !/^\d{1,9}$/.test(header.trim())) return {};
  return { retryAfter: Math.min(Number(header), LONGEST) };
}
