// What stands in for a message that is too large for the main thread.
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import { countValues } from '../../../lib/json-bounds.ts';
import { type DescribedList, describeTools } from './content.ts';

/** What the client gets; absent where the text is no message that can be passed on. */
export interface StandIn {
  message?: string;
  /** What the message stands for: the result of a call, which is read later, or a list of tools. */
  standsFor?: 'call' | DescribedList;
}

export interface StandInJob {
  message: string;
  /** Put into the result, for the call to find the message by. */
  key: string;
}

/** The member of a result's `_meta` that holds the key. */
export const STANDS_IN = 'cuebook.dev/stands-in';

/** Values and names of members of any other message: the main thread parses so many in some 5 ms. */
const MOST_VALUES = 10_000;

export function standIn({ message, key }: StandInJob): StandIn {
  let read: Json;
  try {
    read = JSON.parse(message) as Json;
  } catch {
    return {};
  }
  if (!isJsonObject(read)) return {};
  const { jsonrpc = '2.0', id, result } = read;
  const isAnswer = typeof id === 'string' || typeof id === 'number';
  const stand = isAnswer && isJsonObject(result) ? standFor(result) : undefined;
  if (stand === undefined) return countValues(read, MOST_VALUES) > MOST_VALUES ? {} : { message };
  const { standsFor, members } = stand;
  const stands = { ...members, _meta: { [STANDS_IN]: key } };
  return { message: JSON.stringify({ jsonrpc, id, result: stands }), standsFor };
}

/** With the members that the client looks at. */
function standFor(
  result: JsonObject,
): { standsFor: NonNullable<StandIn['standsFor']>; members: JsonObject } | undefined {
  const { resultType, content, tools, nextCursor } = result;
  const common = typeof resultType === 'string' ? { resultType } : {};
  if (Array.isArray(content) || Object.hasOwn(result, 'structuredContent')) {
    return { standsFor: 'call', members: { ...common, content: [] } };
  }
  if (!Array.isArray(tools)) return undefined;
  const more = typeof nextCursor === 'string' ? { nextCursor } : {};
  return { standsFor: describeTools(tools), members: { ...common, tools: [], ...more } };
}
