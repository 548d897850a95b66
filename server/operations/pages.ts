import type { Static } from 'typebox';
import Type from 'typebox';
import { LIMITS } from '../../shared/limits.ts';
import { invalidInput } from '../lib/rejection.ts';
import type { Call } from './operation.ts';

/** The fields of every operation that answers a page. */
export const PAGE_FIELDS = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.pageMost,
      description: `How many entries a page holds at most; over HTTP ${LIMITS.pageDefault} when absent.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 256, description: "Where the page begins: the last page's `next_cursor`, as it came." }),
  ),
};

const PageFields = Type.Object(PAGE_FIELDS);

/** A page that was asked for: behind which place it begins, and how many entries it holds. */
export interface PageRequest {
  /** The place that the last page ended with; undefined at the beginning. */
  after: number | undefined;
  limit: number;
}

/**
 * Reads `limit` and `cursor`.
 * @param list what the cursor belongs to; the cursor of another list is refused
 * @throws Refused `invalid_input` at `/cursor`
 */
export function pageRequest(call: Call, fields: Static<typeof PageFields>, list: string): PageRequest {
  const limit = fields.limit ?? call.pageDefault;
  if (fields.cursor === undefined) return { after: undefined, limit };
  const [of, place, ...more] = Buffer.from(fields.cursor, 'base64url').toString('utf8').split('.');
  if (of !== list || place === undefined || !/^\d{1,15}$/.test(place) || more.length > 0) {
    throw invalidInput([
      {
        pointer: '/cursor',
        detail:
          '`cursor` is not a cursor of this list; send the `next_cursor` of its previous page, or none for the first page.',
      },
    ]);
  }
  return { after: Number(place), limit };
}

export interface PageEnd {
  has_more: boolean;
  next_cursor: string | null;
}

/**
 * Divides what was read into the page and the knowledge that there is more.
 * @param read one entry more than the page holds, where there is one
 * @param placeOf an entry's place in the list, a whole number
 */
export function pageOf<T>(
  read: readonly T[],
  request: PageRequest,
  list: string,
  placeOf: (entry: T) => number,
): { entries: T[]; end: PageEnd } {
  const entries = read.slice(0, request.limit);
  const last = entries.at(-1);
  const hasMore = read.length > request.limit && last !== undefined;
  const next = hasMore ? Buffer.from(`${list}.${placeOf(last)}`).toString('base64url') : null;
  return { entries, end: { has_more: hasMore, next_cursor: next } };
}
