// Tokens of the identity service: JSON Web Tokens (RFC 7519) of two forms. An access token (RFC 9068) has an audience and
// is held by a program that acts for a person; a session has none and is held by a page that the person signed in to.
//
// 1. The key set is read again at the first token after it is ten minutes old, and for an unknown `kid` once a minute has
//    passed. Where it cannot be read, held keys stay in use until they are ten minutes old, and it is read again after a
//    few seconds: anyone can send tokens that name unknown keys, and each must not cause a request.
// 2. If the clock was set back, the age of the key set is unknown: it is read again.
// 3. A refusal names the rule or the claim, never a value.
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwksCache, jwtVerify } from 'jose';
import { isJsonObject } from '../../../shared/json.ts';
import { isPermission, ORG_PATTERN, type Permission } from '../../../shared/permissions.ts';
import { LOCAL_ORG } from '../../../shared/product.ts';
import { type Age, ageIn, type Clock } from '../../lib/clock.ts';
import type { HttpClient } from '../../lib/http-client/index.ts';
import { ISSUER_BOUNDS } from '../../lib/issuer-metadata.ts';
import { Refused } from '../../lib/rejection.ts';
import type { Caller } from '../../operations/index.ts';
import type { IdentityService } from './identity-service.ts';

export interface TokenOptions {
  service: IdentityService;
  http: Pick<HttpClient, 'send'>;
  clock: Clock;
  /** The origin of the server, without a final slash. */
  publicUrl: string;
  /** Whether sessions may be issued to pages of an origin. */
  isAllowedOrigin: (origin: string) => boolean;
}

/** How a token was presented. */
export interface Presented {
  token: string;
  /** The Origin header. */
  origin: string | undefined;
  /** The path of the request if it is an MCP endpoint. */
  endpoint: string | undefined;
}

const MOST_BYTES = 8 * 1024;
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const TYPES = ['at+jwt', 'application/at+jwt', 'jwt', 'application/jwt'];
/** Seconds by which clocks may differ. */
const LEEWAY = 60;
const MOST_SUBJECT_BYTES = 256;
/** Milliseconds between a failed attempt to read the key set and the next. */
const RETRY_MS = 5000;
/** Control characters, those that change the direction of text, lone surrogates and noncharacters. */
const NOT_IN_SUBJECT = /[\p{Cc}\p{Bidi_Control}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/** @returns verifies a token; it throws Refused `unauthenticated` */
export function createTokenVerifier(options: TokenOptions): (presented: Presented) => Promise<Caller> {
  const { service, http, clock, publicUrl, isAllowedOrigin } = options;
  // The read at the start counts as the first; the library updates both members.
  const held = { jwks: service.keySet, uat: clock.now() };
  let sinceTried: Age | undefined;
  const keys = createRemoteJWKSet(service.keySetUrl, {
    cooldownDuration: 60_000,
    cacheMaxAge: 600_000,
    timeoutDuration: ISSUER_BOUNDS.deadline,
    [jwksCache]: held,
    async [customFetch](url) {
      if (sinceTried !== undefined && sinceTried() < RETRY_MS) {
        throw new errors.JOSEError('The last attempt to read the key set failed a moment ago.');
      }
      const answer = await http.send(
        { method: 'GET', url: new URL(url), headers: { accept: 'application/json' } },
        ISSUER_BOUNDS,
      );
      sinceTried = ageIn(clock);
      if (answer.kind === 'failed') throw new errors.JOSEError(answer.detail);
      // A redirect is not followed.
      if (answer.status !== 200) throw new errors.JOSEError(`The key set was answered with HTTP ${answer.status}.`);
      return new Response(Buffer.from(answer.body));
    },
  });

  async function verify(token: string): Promise<JWTPayload> {
    if (Buffer.byteLength(token) > MOST_BYTES) throw refused(`it has more than ${MOST_BYTES} bytes`);
    if (held.uat > clock.now() + LEEWAY * 1000) await keys.reload();
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      issuer: service.issuer,
      requiredClaims: ['exp'],
      clockTolerance: LEEWAY,
      currentDate: new Date(clock.now()),
    });
    const wrong = wrongHeader(protectedHeader);
    if (wrong !== undefined) throw refusedClaim(wrong);
    const { exp, iat } = payload;
    if (!Number.isFinite(exp)) throw refusedClaim('exp');
    if (iat !== undefined && (typeof iat !== 'number' || iat > clock.now() / 1000 + LEEWAY)) throw refusedClaim('iat');
    return payload;
  }

  /** The audience of an access token is this server, or the MCP endpoint that it is presented to. */
  function isForUs({ aud }: JWTPayload, endpoint: string | undefined): boolean {
    const accepted = [publicUrl, `${publicUrl}/`, ...(endpoint === undefined ? [] : [`${publicUrl}${endpoint}`])];
    const named: unknown[] = Array.isArray(aud) ? aud : [aud];
    return named.some((one) => typeof one === 'string' && accepted.includes(one));
  }

  return async ({ token, origin, endpoint }) => {
    const payload = await verify(token).catch((error: unknown) => {
      throw error instanceof Refused ? error : refused(faultOf(error));
    });
    const id = `person:${subjectOf(payload)}`;
    const expiresAt = Number(payload.exp) * 1000;
    if (Object.hasOwn(payload, 'aud')) {
      if (!isForUs(payload, endpoint)) throw refusedClaim('aud');
      const org = orgIn(payload['org_id'], 'org_id', 'org_id');
      return personOf({ id, form: 'access_token', org, expiresAt }, scopesOf(payload));
    }
    const { azp } = payload;
    if (typeof azp !== 'string' || !isAllowedOrigin(azp)) throw refusedClaim('azp');
    if (origin !== azp) throw refused('the session was not presented by the page it was issued to');
    const { o } = payload;
    if (o === undefined) throw refusedClaim('o');
    const org = orgIn(isJsonObject(o) ? (o as { id?: unknown }).id : null, 'o', 'o.id');
    return personOf({ id, form: 'session', org, expiresAt }, undefined);
  };
}

/** @param permissions undefined: all */
function personOf(person: Omit<Caller, 'may'>, permissions: readonly Permission[] | undefined): Caller {
  return {
    ...person,
    may: (permission, org) => org === person.org && (permissions === undefined || permissions.includes(permission)),
  };
}

/** The first parameter of the header that is wrong. The library looks at `b64` (RFC 7797) only where `crit` names it. */
function wrongHeader({ typ, b64 = true }: Readonly<Record<string, unknown>>): string | undefined {
  if (typ !== undefined && !(typeof typ === 'string' && TYPES.includes(typ.toLowerCase()))) return 'typ';
  return b64 === true ? undefined : 'b64';
}

function subjectOf({ sub }: JWTPayload): string {
  const isSubject =
    typeof sub === 'string' && sub !== '' && Buffer.byteLength(sub) <= MOST_SUBJECT_BYTES && !NOT_IN_SUBJECT.test(sub);
  if (!isSubject) throw refusedClaim('sub');
  return sub;
}

/** @param claim what is missing if there is no value; @param path where the value is */
function orgIn(value: unknown, claim: string, path: string): string {
  if (value === undefined && claim === path) throw refusedClaim(claim);
  if (typeof value === 'string' && ORG_PATTERN.test(value) && value !== LOCAL_ORG) return value;
  throw refused(`its \`${path}\` claim is not an org id other than ${LOCAL_ORG}`);
}

function scopesOf({ scope }: JWTPayload): Permission[] {
  if (scope === undefined) return [];
  if (typeof scope !== 'string') throw refusedClaim('scope');
  return scope.split(' ').filter(isPermission);
}

/** What is wrong with a token, by the code of the library. */
function faultOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired) {
    return `\`${error.code}\` on its \`${error.claim}\` claim`;
  }
  // Other errors are about a key that the algorithm does not permit, for example one that is too short.
  return `\`${error instanceof errors.JOSEError ? error.code : 'ERR_JWKS_INVALID'}\``;
}

function refusedClaim(claim: string): Refused {
  return refused(`\`${errors.JWTClaimValidationFailed.code}\` on its \`${claim}\` claim`);
}

/** Without a full stop: what is wrong ends the sentence. */
function refused(fault: string): Refused {
  return new Refused({ reason: 'unauthenticated', detail: `The token was refused: ${fault}` });
}
