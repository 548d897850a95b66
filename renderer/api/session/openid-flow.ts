// Authorization code with PKCE (RFC 7636) and a nonce, as a client without a secret. Loaded only where people sign in so.
import {
  AuthorizationResponseError,
  authorizationCodeGrantRequest,
  type AuthorizationServer,
  calculatePKCECodeChallenge,
  type Client,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  None,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  ResponseBodyError,
  revocationRequest,
  type TokenEndpointResponse,
  validateAuthResponse,
} from 'oauth4webapi';

/** What the page says about the identity service. */
export interface OpenIdSettings {
  clientId: string;
  /** What tokens are for: the address of the server, without a final slash. */
  resource: string;
  service: AuthorizationServer;
}

/** What is needed to finish a sign-in when the identity service redirects back. */
export interface StartedSignIn {
  state: string;
  nonce: string;
  verifier: string;
}

export interface Tokens {
  accessToken: string;
  refreshToken: string | undefined;
  /** Names the session to end it. */
  idToken: string | undefined;
  /** When the access token expires, and when to renew it; in milliseconds since 1970. */
  expiresAt: number;
  renewAt: number;
}

/** Seconds that a token is assumed to be valid if the identity service does not say. */
const ASSUMED_LIFETIME = 300;
/** The most seconds before its expiry at which a token is renewed. */
const EARLY = 30;

/**
 * @param marks put before the random state
 * @returns where the browser goes to sign in, and what to keep until it returns
 */
export async function startSignIn(
  { clientId, resource, service }: OpenIdSettings,
  { marks = '', isSilent = false }: { marks?: string; isSilent?: boolean },
): Promise<{ address: string; started: StartedSignIn }> {
  const state = `${marks}${generateRandomState()}`;
  const [nonce, verifier] = [generateRandomNonce(), generateRandomCodeVerifier()];
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectAddress(resource),
    response_type: 'code',
    scope: scopeFor(service),
    resource,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(isSilent ? { prompt: 'none' } : {}),
  };
  return { address: withParameters(service.authorization_endpoint, parameters), started: { state, nonce, verifier } };
}

/** @param returned what the identity service added to the address @throws an Error with a sentence for the person */
export async function finishSignIn(
  settings: OpenIdSettings,
  { state, nonce, verifier }: StartedSignIn,
  returned: URLSearchParams,
): Promise<Tokens> {
  const { clientId, resource, service } = settings;
  const client: Client = { client_id: clientId };
  try {
    const parameters = validateAuthResponse(service, client, returned, state);
    const redirect = redirectAddress(resource);
    const response = await authorizationCodeGrantRequest(service, client, None(), parameters, redirect, verifier, {
      additionalParameters: { resource },
    });
    return tokensOf(await processAuthorizationCodeResponse(service, client, response, { expectedNonce: nonce }));
  } catch (error) {
    throw new Error(sentenceFor(error, settings), { cause: error });
  }
}

/** @returns the tokens without a refresh token if the identity service no longer renews them */
export async function renewTokens(
  { clientId, resource, service }: OpenIdSettings,
  before: Tokens,
): Promise<Tokens | 'unreachable'> {
  const client: Client = { client_id: clientId };
  let response: Response;
  try {
    response = await refreshTokenGrantRequest(service, client, None(), before.refreshToken ?? '', {
      additionalParameters: { resource },
    });
  } catch {
    return 'unreachable';
  }
  if (response.status === 429 || response.status >= 500) return 'unreachable';
  try {
    return tokensOf(await processRefreshTokenResponse(service, client, response), before);
  } catch {
    return { ...before, refreshToken: undefined };
  }
}

/** How long a revocation may take, in milliseconds: the person is leaving. */
const REVOCATION_MS = 3000;

/**
 * Has the identity service revoke a refresh token that nobody uses any more (RFC 7009), if it offers that. It may end
 * every sign-in of the same grant, so do not call this while the person is signed in again. Failures are ignored: the
 * token is in no memory, and expires.
 */
export async function revokeTokens({ clientId, service }: OpenIdSettings, { refreshToken }: Tokens): Promise<void> {
  if (refreshToken === undefined || URL.parse(service.revocation_endpoint ?? '')?.protocol !== 'https:') return;
  await revocationRequest(service, { client_id: clientId }, None(), refreshToken, {
    additionalParameters: { token_type_hint: 'refresh_token' },
    signal: AbortSignal.timeout(REVOCATION_MS),
  }).catch(() => undefined);
}

/**
 * Where the person ends the session at the identity service (OpenID Connect RP-Initiated Logout).
 * @returns undefined if it does not offer that
 */
export function signOutAddress(
  { clientId, resource, service: { end_session_endpoint: endpoint = '' } }: OpenIdSettings,
  idToken: string | undefined,
): string | undefined {
  if (URL.parse(endpoint)?.protocol !== 'https:') return undefined;
  return withParameters(endpoint, {
    client_id: clientId,
    post_logout_redirect_uri: redirectAddress(resource),
    ...(idToken === undefined ? {} : { id_token_hint: idToken }),
  });
}

/** The address of the studio, as it is registered at the identity service. */
function redirectAddress(resource: string): string {
  return `${resource}/`;
}

/** Some identity services issue refresh tokens only for `offline_access`. */
function scopeFor({ scopes_supported: supported = [] }: AuthorizationServer): string {
  const offline = supported.includes('offline_access') ? ' offline_access' : '';
  return `openid user:org:read org:read org:write playbook:read playbook:write${offline}`;
}

function withParameters(address: string | undefined, parameters: Record<string, string>): string {
  const url = new URL(address ?? '');
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function tokensOf(
  { access_token, refresh_token, id_token, expires_in: lifetime = ASSUMED_LIFETIME }: TokenEndpointResponse,
  before?: Tokens,
): Tokens {
  const expiresAt = Date.now() + lifetime * 1000;
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? before?.refreshToken,
    idToken: id_token ?? before?.idToken,
    expiresAt,
    renewAt: expiresAt - Math.min(EARLY, lifetime / 2) * 1000,
  };
}

/** Why a sign-in failed, without a code or a token. */
function sentenceFor(error: unknown, { clientId, resource, service }: OpenIdSettings): string {
  const name = new URL(service.issuer).host;
  if (error instanceof TypeError) {
    return `The response of ${name} could not be read. Check your network. The operator checks that its token endpoint permits requests from ${resource} (CORS).`;
  }
  if (!(error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)) {
    const reason = error instanceof Error ? error.message : String(error);
    return `The response of ${name} is invalid: ${reason}. Sign in again.`;
  }
  switch (error.error) {
    case 'access_denied':
      return `${name} did not grant access: you cancelled the sign-in, or you may not use this application.`;
    case 'temporarily_unavailable':
    case 'server_error':
      return `${name} is unavailable at the moment. Try again later.`;
    case 'invalid_client':
    case 'unauthorized_client':
      return `${name} does not accept the client ID ${clientId} for this sign-in. The operator registers the studio there as a public client with the redirect address ${redirectAddress(resource)}.`;
    case 'invalid_scope':
      return `${name} refused the scopes that the studio needs: ${scopeFor(service)}. The operator adds them to the registration of the studio.`;
    case 'invalid_target':
      return `${name} issues no tokens for ${resource}. The operator registers that address as an API there.`;
    case 'invalid_grant':
      return `${name} no longer accepts this sign-in; it may have taken too long. Sign in again.`;
    default:
      return `${name} refused the sign-in: ${[error.error, error.error_description].filter(Boolean).join(', ')}.`;
  }
}
