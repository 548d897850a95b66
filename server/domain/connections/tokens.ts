// Access tokens by client credentials (RFC 6749, section 4.4) from an issuer with metadata (RFC 8414, else OpenID
// Connect Discovery 1.0).
//
// 1. A token is kept in memory only, and renewed before it expires.
// 2. The metadata of an issuer must name that issuer; the client's secret is sent only to the token endpoint that it
//    names, and only where the operator allows connections to go.
// 3. Requesting a token has no side effect, so it is repeated as often as needed.
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { JsonObject } from '../../../shared/json.ts';
import { type AccessToken, createAccessTokens, readAccessToken } from '../../lib/access-tokens.ts';
import {
  type ClientCredentials,
  errorCodeWords,
  ISSUER_HEADERS,
  readIssuerBody,
  tokenRequest,
} from '../../lib/client-credentials.ts';
import type { Age, Clock } from '../../lib/clock.ts';
import type { HttpRequest } from '../../lib/http-client/index.ts';
import { ISSUER_BOUNDS, metadataPlaces } from '../../lib/issuer-metadata.ts';
import { SHORTEST_SECRET } from '../../lib/scrub/index.ts';
import { type EgressPolicy, ServerFault } from '../tools/index.ts';
import { addressIssue } from './check-address.ts';
import type { SealedCredential } from './read-credential.ts';
import { readPrivateKey } from './private-key.ts';

/** How a client authenticates at its issuer. */
export interface TokenClient {
  issuer: string;
  clientId: string;
  scope: string | undefined;
  proof: Exclude<SealedCredential, { value: string }>;
}

export interface Tokens {
  /** @param id whose token it is @throws ServerFault */
  of: (id: string, client: TokenClient) => Promise<string>;
  /** The token was refused; one that was fetched since stays. */
  refused: (id: string, token: string) => void;
  /** Its client was removed. */
  forget: (id: string) => void;
}

const ASSERTION_LIFE_SECONDS = 60;

export function createTokens(egress: Pick<EgressPolicy, 'check' | 'senderFor'>, clock: Clock): Tokens {
  const kept = createAccessTokens(clock);

  async function ask(client: TokenClient, age: Age): Promise<AccessToken> {
    const issuer = await readIssuer(client.issuer);
    const credentials = await credentialsOf(issuer, client, clock);
    const answer = await exchange(tokenRequest(issuer.url, credentials), new URL(client.issuer));
    const token = readAccessToken(answer, age);
    if (token === undefined) throw new ServerFault('failing', 'Its token issuer did not return a Bearer token.');
    if (token.token.length < SHORTEST_SECRET) {
      const detail = `Its token issuer returned a token of fewer than ${SHORTEST_SECRET} characters, which is too short to be removed from results.`;
      throw new ServerFault('failing', detail);
    }
    return token;
  }

  /**
   * One request to an issuer. @returns the object in its response
   * @param from the issuer that leads there, where it does
   * @throws ServerFault
   */
  async function exchange(request: HttpRequest, from?: URL): Promise<JsonObject> {
    await egress.check(request.url, from);
    const answer = await egress.senderFor(from).send(request, ISSUER_BOUNDS);
    if (answer.kind === 'failed') {
      throw new ServerFault('unreachable', `Its token issuer did not respond. ${answer.detail}`);
    }
    const value = readIssuerBody(answer.body);
    if (answer.status === 200 && value !== undefined) return value;
    if (request.method === 'POST' && [400, 401, 403].includes(answer.status)) {
      const detail = `Its token issuer returned no token: HTTP ${answer.status}${errorCodeWords(value)}.`;
      throw new ServerFault('key_refused', detail);
    }
    if (answer.status === 429)
      throw new ServerFault('rate_limited', 'Its token issuer is limiting requests; try again later.');
    throw new ServerFault(
      'failing',
      `Its token issuer responded with HTTP ${answer.status} and without the requested data.`,
    );
  }

  async function readIssuer(issuer: string): Promise<Issuer> {
    const [first, second] = metadataPlaces(issuer);
    const request = (url: URL): HttpRequest => ({ method: 'GET', url, headers: ISSUER_HEADERS });
    const metadata = await exchange(request(first)).catch(async (error: unknown) => {
      if (error instanceof ServerFault && error.because === 'failing') return exchange(request(second));
      throw error;
    });
    const { issuer: named, token_endpoint: place, token_endpoint_auth_methods_supported: methods } = metadata;
    if (named !== issuer)
      throw new ServerFault(
        'failing',
        'The metadata of its token issuer names a different issuer than the connection.',
      );
    if (typeof place !== 'string' || addressIssue(place) !== undefined) {
      throw new ServerFault('failing', 'The metadata of its token issuer names no https token endpoint.');
    }
    return {
      issuer,
      url: new URL(place),
      methods: Array.isArray(methods) ? methods.map(String) : ['client_secret_basic'],
    };
  }

  return {
    of: (id, client) => kept.of(id, (age) => ask(client, age)),
    refused: (id, token) => kept.refused(id, token),
    forget: (id) => kept.forget(id),
  };
}

interface Issuer {
  issuer: string;
  url: URL;
  /** How clients may authenticate. */
  methods: readonly string[];
}

async function credentialsOf(
  { issuer, methods }: Issuer,
  { clientId, scope, proof }: TokenClient,
  clock: Clock,
): Promise<ClientCredentials> {
  if ('private_key' in proof) {
    const signed = await assertion(issuer, clientId, proof, clock);
    return { clientId, scope, proof: { method: 'private_key_jwt', assertion: signed } };
  }
  const isInBody = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
  const method = isInBody ? 'client_secret_post' : 'client_secret_basic';
  return { clientId, scope, proof: { method, secret: proof.client_secret } };
}

/** RFC 7523, section 2.2. Its audience is the issuer, so that no other one can use it. */
async function assertion(
  issuer: string,
  clientId: string,
  { private_key: given, algorithm }: Extract<SealedCredential, { private_key: string }>,
  clock: Clock,
): Promise<string> {
  const read = readPrivateKey(given, algorithm);
  if (!read.ok) throw new ServerFault('failing', 'The private key of its client is not usable.');
  const { key, id } = read.key;
  const now = Math.floor(clock.now() / 1000);
  return new SignJWT({})
    .setProtectedHeader({ alg: algorithm, ...(id === undefined ? {} : { kid: id }) })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(now + ASSERTION_LIFE_SECONDS)
    .sign(key);
}
