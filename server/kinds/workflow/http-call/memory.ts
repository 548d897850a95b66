// What calls remember in memory: tokens until they expire, documents for a while. Nothing outlives the process.
import { createHash } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import type { OpenApiDocument } from '../../../lib/openapi-client/index.ts';

export interface CallMemory {
  /** Access tokens. */
  tokens: Remembered<string>;
  documents: Remembered<OpenApiDocument>;
}

export interface Remembered<Value> {
  recall(key: string): Value | undefined;
  /** @param until milliseconds since 1970 */
  remember(key: string, value: Value, until: number): void;
  forget(key: string): void;
}

const MOST_TOKENS = 1000;
/** A document may have 8 MiB, and several times that when it is read. */
const MOST_DOCUMENTS = 8;

export function createCallMemory(clock: Clock): CallMemory {
  return { tokens: createRemembered(clock, MOST_TOKENS), documents: createRemembered(clock, MOST_DOCUMENTS) };
}

/** The key of what was got with these settings; secrets among them do not stand in it. */
export function keyOf(settings: unknown): string {
  return createHash('sha256').update(JSON.stringify(settings)).digest('base64');
}

function createRemembered<Value>(clock: Clock, most: number): Remembered<Value> {
  const entries = new Map<string, { value: Value; until: number }>();
  return {
    recall(key) {
      const entry = entries.get(key);
      if (entry === undefined || entry.until > clock.now()) return entry?.value;
      entries.delete(key);
      return undefined;
    },
    remember(key, value, until) {
      entries.delete(key);
      // The oldest goes first: a Map keeps its order.
      for (const oldest of entries.keys()) {
        if (entries.size < most) break;
        entries.delete(oldest);
      }
      entries.set(key, { value, until });
    },
    forget(key) {
      entries.delete(key);
    },
  };
}
