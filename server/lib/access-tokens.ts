// OAuth access tokens (RFC 6749, section 5.1), kept in memory until shortly before they expire.
//
// Callers that need a token at the same time share one request, which continues when one of them leaves.
import type { JsonObject } from '../../shared/json.ts';
import { type Age, ageIn, type Clock } from './clock.ts';

export interface AccessToken {
  token: string;
  /** Up to which age it is used, in milliseconds. */
  usedUpTo: number;
  /** Counts from when it was asked for. */
  age: Age;
}

export interface AccessTokens {
  /** @param id whose token it is @param fetch gets a new one, and is given its age; what it throws is thrown */
  of: (id: string, fetch: (age: Age) => Promise<AccessToken>) => Promise<string>;
  /** The token was refused; one that was fetched since stays. */
  refused: (id: string, token: string) => void;
  forget: (id: string) => void;
}

/** A token is not used in its last half minute, or in the last half of a shorter life. */
const MARGIN_MS = 30_000;
/** The assumed lifetime of a token whose issuer does not state one. */
const UNKNOWN_LIFE_MS = 60_000;

/**
 * The token of an answer; undefined for one without a usable token.
 * @param age counts from when it was asked for
 * @param unknownLifeMs how long a token lives whose issuer does not say it, in milliseconds
 */
export function readAccessToken(
  answer: JsonObject,
  age: Age,
  unknownLifeMs = UNKNOWN_LIFE_MS,
): AccessToken | undefined {
  const { access_token: token, token_type: type, expires_in: life } = answer;
  const isBearer = typeof type === 'string' && type.toLowerCase() === 'bearer';
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,16384}$/.test(token) || !isBearer) return undefined;
  const seconds = Number(life);
  const lifeMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : unknownLifeMs;
  return { token, usedUpTo: lifeMs - Math.min(MARGIN_MS, lifeMs / 2), age };
}

export function createAccessTokens(clock: Clock): AccessTokens {
  const kept = new Map<string, AccessToken>();
  const asking = new Map<string, Promise<AccessToken>>();
  return {
    async of(id, fetch) {
      const known = kept.get(id);
      if (known !== undefined && known.age() < known.usedUpTo) return known.token;
      const asked = asking.get(id) ?? fetch(ageIn(clock));
      asking.set(id, asked);
      try {
        const next = await asked;
        if (asking.get(id) === asked) kept.set(id, next);
        return next.token;
      } finally {
        if (asking.get(id) === asked) asking.delete(id);
      }
    },
    refused(id, token) {
      if (kept.get(id)?.token === token) kept.delete(id);
    },
    forget(id) {
      kept.delete(id);
      asking.delete(id);
    },
  };
}
