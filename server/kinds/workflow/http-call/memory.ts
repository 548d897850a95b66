// Caches of calls, in memory: tokens until they expire, and documents for a limited time.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../lib/clock.ts';
import type { HttpSender } from '../../../lib/http-client/index.ts';
import type { OpenApiDocument } from '../../../lib/openapi-client/index.ts';
import type { TextWork } from '../../../lib/text-work/index.ts';
import type { Secrets } from './authentication.ts';
import type { IsHostAllowed } from './hosts.ts';

export interface CallMemory {
  /** Access tokens. */
  tokens: ExpiringCache<string>;
  documents: ExpiringCache<OpenApiDocument>;
}

export interface ExpiringCache<Value> {
  get(key: string): Value | undefined;
  /** @param until when it expires, in milliseconds since 1970 */
  set(key: string, value: Value, until: number): void;
  delete(key: string): void;
}

const MOST_TOKENS = 1000;
/** A document may have 8 MiB, and several times as much once it is parsed. */
const MOST_DOCUMENTS = 8;

export function createCallMemory(clock: Clock): CallMemory {
  return { tokens: createExpiringCache(clock, MOST_TOKENS), documents: createExpiringCache(clock, MOST_DOCUMENTS) };
}

/** The cache key of these settings; it does not contain the secrets among them. */
export function keyOf(settings: unknown): string {
  return createHash('sha256').update(JSON.stringify(settings)).digest('base64');
}

function createExpiringCache<Value extends object | string>(clock: Clock, most: number): ExpiringCache<Value> {
  const entries = new LRUCache<string, Value>({ max: most, perf: clock, ttlResolution: 0 });
  return {
    get: (key) => entries.get(key),
    set(key, value, until) {
      // The cache still returns a value whose age equals its time to live.
      const ttl = until - clock.now() - 1;
      if (ttl > 0) entries.set(key, value, { ttl });
    },
    delete: (key) => void entries.delete(key),
  };
}

/** The dependencies of a call. */
export interface CallContext {
  http: HttpSender;
  textWork: TextWork;
  clock: Clock;
  memory: CallMemory;
  isHostAllowed: IsHostAllowed;
  /** The secrets that the workflow may use, by name. Their values are redacted from everything that the call returns. */
  secrets: Secrets;
}
