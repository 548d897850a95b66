// Why a connection or an answer failed, in words. Error messages of Node hold addresses and pieces of what was
// received, so only their codes are used.
import { failed, type HttpFailure } from './request.ts';

const CONNECTING: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The name of the server was not found.',
  EAI_AGAIN: 'The name of the server could not be looked up now.',
  ECONNREFUSED: 'The server refused the connection.',
  ECONNRESET: 'The connection was cut while it was made.',
  EHOSTUNREACH: 'There is no way to the server.',
  ENETUNREACH: 'There is no network to the server.',
  ETIMEDOUT: 'The server did not take the connection in time.',
  ADDRESS_REFUSED: 'The address that the server has may not be connected to.',
};

const TRUST: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'a self-signed certificate stands in its chain',
  UNABLE_TO_GET_ISSUER_CERT: 'who issued it is unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'who issued it is unknown',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'who issued it is unknown',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  CERT_UNTRUSTED: 'who issued it is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it was issued for another name',
};

/** The code of our own error where a server sends one interim answer after the other. */
export const TOO_MANY_INTERIM = 'TOO_MANY_INTERIM';
/** The code of our own error where an answer consists mostly of the frames of its chunks. */
export const MOSTLY_FRAMES = 'MOSTLY_FRAMES';

export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** No connection came about. */
export function connectionFailure(error: unknown): HttpFailure {
  const code = codeOf(error);
  const untrusted = TRUST[code];
  if (untrusted !== undefined) {
    return { ...failed('unreachable', `The server's certificate is not trusted: ${untrusted}.`), isUntrusted: true };
  }
  if (/^(ERR_SSL|ERR_TLS|EPROTO|CERT_)/.test(code)) {
    return failed('unreachable', 'No secure connection to the server came about (TLS failed).');
  }
  return failed('unreachable', CONNECTING[code] ?? 'No connection to the server came about.');
}

/** The connection was there, and failed before the whole answer was. */
export function answerFailure(error: unknown): HttpFailure {
  const code = codeOf(error);
  if (code === 'HPE_HEADER_OVERFLOW') return failed('unreadable', 'The headers of the answer are too large.');
  if (code === TOO_MANY_INTERIM) return failed('unreadable', 'The server sent too many interim answers (1xx).');
  if (code === MOSTLY_FRAMES) return failed('unreadable', 'The server sends its answer in chunks that are too small.');
  if (code.startsWith('HPE_')) return failed('unreadable', 'The answer is not HTTP.');
  return failed('unreadable', 'The connection broke off before the whole answer had come.');
}
