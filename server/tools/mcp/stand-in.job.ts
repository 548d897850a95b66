// What stands in for a message that is too large for the main thread.
import { isJsonObject, type Json } from '../../../shared/json.ts';

export interface StandIn {
  /** A message with the same id, as JSON; absent where the message is not the result of a call. */
  message?: string;
}

export interface StandInJob {
  message: string;
  /** Put into the result, for the call to find the message by. */
  key: string;
}

/** The member of a result's `_meta` that holds the key. */
export const STANDS_IN = 'cuebook.dev/stands-in';

export function standIn({ message, key }: StandInJob): StandIn {
  let read: Json;
  try {
    read = JSON.parse(message) as Json;
  } catch {
    return {};
  }
  if (!isJsonObject(read) || !isJsonObject(read['result'])) return {};
  const { jsonrpc, id, result } = read;
  const isCalls = Array.isArray(result['content']) || Object.hasOwn(result, 'structuredContent');
  if (!isCalls || (typeof id !== 'string' && typeof id !== 'number')) return {};
  // What the client looks at goes along.
  const { resultType } = result;
  const stands = { content: [], ...(resultType === undefined ? {} : { resultType }), _meta: { [STANDS_IN]: key } };
  return { message: JSON.stringify({ jsonrpc: jsonrpc ?? '2.0', id, result: stands }) };
}
