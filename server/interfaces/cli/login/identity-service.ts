// The metadata of a server and of its identity service (RFC 9728, RFC 8414).
import {
  allowInsecureRequests,
  AuthorizationResponseError,
  type AuthorizationServer,
  discoveryRequest,
  processDiscoveryResponse,
  processResourceDiscoveryResponse,
  resourceDiscoveryRequest,
  ResponseBodyError,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import { failed } from '../failure.ts';
import type { Login } from './logins.ts';

const SCOPE = 'user:org:read org:read org:write playbook:read playbook:write';
/** Options of each request to an identity service. */
export const BOUNDED = { signal: () => AbortSignal.timeout(10_000) };
/** The maximum length of an identity service's own description in a message. */
const MOST_WORDS = 200;
const LOOPBACK = /^(127\.0\.0\.1|\[::1\]|localhost)$/;

export interface SignIn {
  service: AuthorizationServer;
  /** The address that tokens are issued for. */
  resource: string;
  scope: string;
}

/**
 * Reads how people sign in to a server. Its metadata must name the same address: otherwise one server could get a token
 * for another.
 * @throws CommandFailure
 */
export async function readSignIn(server: string): Promise<SignIn> {
  const url = new URL(server);
  try {
    const request = { ...BOUNDED, [allowInsecureRequests]: LOOPBACK.test(url.hostname) };
    const { resource, authorization_servers: [issuer] = [] } = await processResourceDiscoveryResponse(
      url,
      await resourceDiscoveryRequest(url, request),
    );
    if (issuer === undefined) throw new Error('its metadata names no identity service');
    const service = await readService(issuer);
    return { service, resource, scope: scopeOf(service) };
  } catch (error) {
    const words = `Cannot sign in to ${server}: ${reasonOf(error)}. Check that it is the server's public address, and that people sign in there.`;
    throw failed(words);
  }
}

/** Some identity services issue refresh tokens that outlive the session of the browser only for `offline_access`. */
export function scopeOf({ scopes_supported: supported = [] }: AuthorizationServer): string {
  return supported.includes('offline_access') ? `${SCOPE} offline_access` : SCOPE;
}

export async function readService(issuer: string): Promise<AuthorizationServer> {
  const url = new URL(issuer);
  const read = async (algorithm: 'oauth2' | 'oidc') =>
    processDiscoveryResponse(url, await discoveryRequest(url, { ...BOUNDED, algorithm }));
  return read('oauth2').catch(() => read('oidc'));
}

/** What a token response adds to a login. */
export function tokensOf(
  { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds = 300 }: TokenEndpointResponse,
  previous?: string,
): Pick<Login, 'accessToken' | 'refreshToken' | 'expiresAt'> {
  return { accessToken, refreshToken: refreshToken ?? previous, expiresAt: Date.now() + seconds * 1000 };
}

/** Whether a request failed on the way, so that the same request may succeed later. */
export function isUnreachable(error: unknown): boolean {
  const isBroken = error instanceof TypeError && error.cause instanceof Error;
  return isBroken || (error instanceof DOMException && error.name === 'TimeoutError');
}

/** Why a request failed, as the end of a sentence without a full stop: never with a token or a code. */
export function reasonOf(error: unknown): string {
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
    const words = error.error_description?.slice(0, MOST_WORDS).replace(/\.$/, '');
    return words === undefined ? error.error : `${error.error} (${words})`;
  }
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Response && !error.cause.ok)
    return `the identity service returned HTTP ${error.cause.status}`;
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  return (cause ?? error.message).replace(/\.$/, '');
}
