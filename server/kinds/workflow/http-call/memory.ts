// Caches of calls, in memory: tokens until they expire, and documents for a limited time.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Age, Clock } from '../../../lib/clock.ts';
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
  set(key: string, value: Value, life: Life): void;
  delete(key: string): void;
}

interface Life {
  /** Up to which age a value is used, in milliseconds. */
  usedUpTo: number;
  age: Age;
}

const MOST_TOKENS = 1000;
/** A document may have 8 MiB, and several times as much once it is parsed. */
const MOST_DOCUMENTS = 8;

export function createCallMemory(): CallMemory {
  return { tokens: createExpiringCache(MOST_TOKENS), documents: createExpiringCache(MOST_DOCUMENTS) };
}

/** The cache key of these settings; it does not contain the secrets among them. */
export function keyOf(settings: unknown): string {
  return createHash('sha256').update(JSON.stringify(settings)).digest('base64');
}

function createExpiringCache<Value>(most: number): ExpiringCache<Value> {
  // Not the cache's own times to live: they know one clock.
  const entries = new LRUCache<string, { value: Value; life: Life }>({ max: most });
  return {
    get(key) {
      const found = entries.get(key);
      if (found === undefined) return undefined;
      if (found.life.age() < found.life.usedUpTo) return found.value;
      entries.delete(key);
      return undefined;
    },
    set: (key, value, life) => void entries.set(key, { value, life }),
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
