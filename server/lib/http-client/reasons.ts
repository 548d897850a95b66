// Why a connection or an answer failed, in words. Error messages of Node hold addresses and pieces of what was
// received, so only their codes are used.
import { failed, type HttpFailure } from './request.ts';

const CONNECTING: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host name of the server was not found.',
  EAI_AGAIN: 'The host name of the server could not be resolved.',
  ECONNREFUSED: 'The server refused the connection.',
  ECONNRESET: 'The connection was reset while it was being established.',
  EHOSTUNREACH: 'The server is unreachable from this network.',
  ENETUNREACH: 'The network of the server is unreachable.',
  ETIMEDOUT: 'The server did not accept the connection in time.',
  ADDRESS_REFUSED: 'Connections to the address of the server are not allowed.',
};

const TRUST: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its chain contains a self-signed certificate',
  UNABLE_TO_GET_ISSUER_CERT: 'its issuer is unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its issuer is unknown',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its issuer is unknown',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  CERT_UNTRUSTED: 'its issuer is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it was issued for another host name',
};

/** The code of our own error where a server sends one interim answer after the other. */
export const TOO_MANY_INTERIM = 'TOO_MANY_INTERIM';
/** The code of our own error where an answer consists mostly of the frames of its chunks. */
export const MOSTLY_FRAMES = 'MOSTLY_FRAMES';

export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** There was no connection. */
export function connectionFailure(error: unknown): HttpFailure {
  const code = codeOf(error);
  const untrusted = TRUST[code];
  if (untrusted !== undefined) {
    return { ...failed('unreachable', `The server's certificate is not trusted: ${untrusted}.`), isUntrusted: true };
  }
  if (/^(ERR_SSL|ERR_TLS|EPROTO|CERT_)/.test(code)) {
    return failed('unreachable', 'No secure connection to the server could be established (TLS failed).');
  }
  return failed('unreachable', CONNECTING[code] ?? 'No connection to the server could be established.');
}

/** The connection was there, and failed before the whole answer was. */
export function answerFailure(error: unknown): HttpFailure {
  const code = codeOf(error);
  if (code === 'HPE_HEADER_OVERFLOW') return failed('unreadable', 'The headers of the response are too large.');
  if (code === TOO_MANY_INTERIM) return failed('unreadable', 'The server sent too many interim responses (1xx).');
  if (code === MOSTLY_FRAMES)
    return failed('unreadable', 'The server sends its response in chunks that are too small.');
  if (code.startsWith('HPE_')) return failed('unreadable', 'The response is not HTTP.');
  return failed('unreadable', 'The connection was closed before the response was complete.');
}
