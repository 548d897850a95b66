// Results of calls, unchanged. The client checks each block of a result and refuses the whole result for one that it does
// not know, so it gets a result without content, and the call takes the original.
import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { LRUCache } from 'lru-cache';
import { isJsonObject, type JsonObject } from '../../../../shared/json.ts';

export interface WholeResults {
  /** Replaces a result with content by one without, before the client sees the message. */
  hold: (message: JSONRPCMessage) => void;
  /** The original of a result that the client returned; undefined if it was not replaced. */
  takeFor: (result: unknown) => JsonObject | undefined;
}

/** The member of a result's `_meta` that holds the key. It cannot be guessed, so no result can pass for another. */
const HELD = 'cuebook.dev/held';
/** More than a server is called at once: those of calls that were abandoned meanwhile are never taken. */
const MOST_HELD = 16;

export function createWholeResults(): WholeResults {
  const held = new LRUCache<string, JsonObject>({ max: MOST_HELD });
  return {
    hold(message) {
      const result: unknown = 'result' in message ? message.result : undefined;
      if (!isJsonObject(result) || !hasContent(result)) return;
      const key = randomUUID();
      held.set(key, result);
      const { resultType } = result;
      const replaced = { ...(resultType === undefined ? {} : { resultType }), content: [], _meta: { [HELD]: key } };
      Object.assign(message, { result: replaced });
    },
    takeFor(result) {
      const meta = isJsonObject(result) ? result['_meta'] : undefined;
      const key = isJsonObject(meta) ? meta[HELD] : undefined;
      if (typeof key !== 'string') return undefined;
      const original = held.get(key);
      held.delete(key);
      return original;
    },
  };
}

/** Only results of calls have these members. Content of any other type is left for the client to refuse. */
function hasContent({ content, ...others }: JsonObject): boolean {
  if (content === null || (Array.isArray(content) && content.length > 0)) return true;
  return Object.hasOwn(others, 'structuredContent') && (content === undefined || Array.isArray(content));
}
