// Access tokens by client credentials (RFC 6749, 4.4), found by OpenID Connect Discovery 1.0 where the scheme is oidc.
//
// 1. A token is used until shortly before it expires; one of unknown life is used once.
// 2. The authority and the token endpoint must be allowed hosts, like any other.
import { isJsonObject, type JsonObject } from '../../../../shared/json.ts';
import { type AccessToken, readAccessToken } from '../../../lib/access-tokens.ts';
import { type Age, ageIn } from '../../../lib/clock.ts';
import {
  type ClientCredentials,
  type ClientProof,
  errorCodeWords,
  ISSUER_HEADERS,
  readIssuerBody,
  tokenRequest,
} from '../../../lib/client-credentials.ts';
import type { HttpRequest } from '../../../lib/http-client/index.ts';
import { ISSUER_BOUNDS } from '../../../lib/issuer-metadata.ts';
import type { ClientGrant } from './authentication.ts';
import { type Failed, misconfigured, refusedWith, unanswered, unauthenticated, unusableAnswer } from './call-error.ts';
import { textOf } from './members.ts';
import { hostWords, refusedHost } from './hosts.ts';
import { type CallContext, keyOf } from './memory.ts';

export type TokenResult = { ok: true; token: string; key: string } | Failed;

type Scheme = 'oauth2' | 'oidc';

/** A token of unknown life is used once. */
const UNKNOWN_LIFE_MS = 0;
const DISCOVERY = '/.well-known/openid-configuration';

export async function tokenFor(
  scheme: Scheme,
  grant: ClientGrant,
  context: CallContext,
  signal: AbortSignal | undefined,
): Promise<TokenResult> {
  const { memory, clock } = context;
  const refused = refusedHost(grant.authority, context.isHostAllowed);
  if (refused !== undefined) return refused;
  const key = keyOf([scheme, grant.authority.href, grant]);
  const known = memory.tokens.get(key);
  if (known !== undefined) return { ok: true, token: known, key };
  const place = scheme === 'oidc' ? await discover(grant, context, signal) : tokenEndpoint(grant);
  if (!place.ok) return place;
  const age = ageIn(clock);
  const answer = await ask(tokenRequest(place.url, credentialsOf(grant), grant.encoding), context, signal);
  if (!answer.ok) return answer;
  const given = readToken(place.url, answer.answer, age, grant.issuers);
  if (!given.ok) return given;
  const { token, usedUpTo } = given;
  if (usedUpTo > 0) memory.tokens.set(key, token, { usedUpTo, age });
  return { ok: true, token, key };
}

function credentialsOf({ client, scopes, audiences }: ClientGrant): ClientCredentials {
  const { id: clientId, secret, shownBy } = client;
  const proof: ClientProof =
    shownBy === 'none' || secret === undefined ? { method: 'none' } : { method: shownBy, secret };
  return { clientId, proof, audiences, ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }) };
}

type TokenEndpoint = { ok: true; url: URL } | Failed;

/** The path stands below the authority's own, as Keycloak's realms need it; a whole address stands for itself. */
function tokenEndpoint({ authority, tokenPath }: ClientGrant): TokenEndpoint {
  const own = /^https?:\/\//i.test(tokenPath)
    ? URL.parse(tokenPath)
    : below(authority, `/${tokenPath.replace(/^\//, '')}`);
  return own === null
    ? misconfigured('`endpoints.token` must be a path, or an http or https URL.')
    : { ok: true, url: own };
}

async function discover(
  grant: ClientGrant,
  context: CallContext,
  signal: AbortSignal | undefined,
): Promise<TokenEndpoint> {
  const { authority, issuers } = grant;
  const url = authority.pathname.endsWith(DISCOVERY) ? authority : below(authority, DISCOVERY);
  const answer = await ask({ method: 'GET', url, headers: ISSUER_HEADERS }, context, signal);
  if (!answer.ok) return answer;
  const [own, issuer] = [issuerOf(url.href.slice(0, -DISCOVERY.length)), textOf(answer.answer, 'issuer')];
  if (issuer === undefined || (issuerOf(issuer) !== own && !issuers.includes(issuer))) {
    return unauthenticated(`What ${hostWords(url)} publishes for discovery names another issuer than the authority.`);
  }
  const place = URL.parse(textOf(answer.answer, 'token_endpoint') ?? '');
  if (place === null || !/^https?:$/.test(place.protocol)) {
    return unauthenticated(`What ${hostWords(url)} publishes for discovery has no valid token endpoint.`);
  }
  return { ok: true, url: place };
}

function below(authority: URL, path: string): URL {
  return new URL(`${authority.origin}${authority.pathname.replace(/\/$/, '')}${path}`);
}

function issuerOf(address: string): string {
  return address.replace(/\/$/, '');
}

/** One exchange with an authority: an object, or why there is none. */
async function ask(
  request: HttpRequest,
  { http, isHostAllowed }: CallContext,
  signal: AbortSignal | undefined,
): Promise<{ ok: true; answer: JsonObject } | Failed> {
  const refused = refusedHost(request.url, isHostAllowed);
  if (refused !== undefined) return refused;
  const options = { ...ISSUER_BOUNDS, ...(signal === undefined ? {} : { signal }) };
  const response = await http.send(request, options);
  const host = hostWords(request.url);
  if (response.kind === 'failed') return unanswered(`${host} did not respond to the token request`, response);
  const answer = readIssuerBody(response.body);
  if ([400, 401, 403].includes(response.status)) {
    return unauthenticated(`${host} issued no token: it returned ${response.status}${errorCodeWords(answer)}.`);
  }
  if (response.status !== 200)
    return refusedWith(response.status, `The token request to ${host} returned ${response.status}.`);
  return answer === undefined
    ? unusableAnswer(`The token request to ${host} did not return a JSON object.`)
    : { ok: true, answer };
}

function readToken(
  url: URL,
  answer: JsonObject,
  age: Age,
  issuers: readonly string[],
): ({ ok: true } & AccessToken) | Failed {
  // Some authorities leave out the type.
  const given = readAccessToken({ ...answer, token_type: answer['token_type'] ?? 'Bearer' }, age, UNKNOWN_LIFE_MS);
  if (given === undefined) {
    return unusableAnswer(`The token request to ${hostWords(url)} did not return a token of type Bearer.`);
  }
  const issuer = issuers.length === 0 ? undefined : issuerIn(given.token);
  if (issuer !== undefined && !issuers.includes(issuer)) {
    return unauthenticated(`The token that ${hostWords(url)} returned was issued by none of the \`issuers\`.`);
  }
  return { ok: true, ...given };
}

/** The `iss` of a token that is a JWT; undefined where it cannot be seen. */
function issuerIn(token: string): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return isJsonObject(claims) ? textOf(claims, 'iss') : undefined;
  } catch {
    return undefined;
  }
}
