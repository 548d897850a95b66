import type { Static } from 'typebox';
import { integer, optional, text } from '../../shared/schemas/fields.ts';
import Type from 'typebox';
import { LIMITS } from '../../shared/limits.ts';
import { invalidInput } from '../lib/rejection.ts';
import type { Call } from './operation.ts';

/** The fields of every operation that returns a page. */
export const PAGE_FIELDS = {
  limit: optional(
    integer(`Default: ${LIMITS.pageDefault}, over MCP ${LIMITS.pageDefaultOfAgents}.`, {
      minimum: 1,
      maximum: LIMITS.pageMost,
    }),
  ),
  cursor: optional(text('`next_cursor` of the previous page.', { maxLength: 256 })),
};

const PageFields = Type.Object(PAGE_FIELDS);

/** A requested page. */
export interface PageRequest {
  /** The position of the last entry of the previous page; undefined for the first page. */
  after: number | undefined;
  limit: number;
}

/**
 * Reads `limit` and `cursor`.
 * @param list the list of the cursor; cursors of other lists are refused
 * @throws Refused `invalid_input` at `/cursor`
 */
export function pageRequest(call: Call, fields: Static<typeof PageFields>, list: string): PageRequest {
  const limit = fields.limit ?? call.pageDefault;
  if (fields.cursor === undefined) return { after: undefined, limit };
  const [of, position, ...more] = Buffer.from(fields.cursor, 'base64url').toString('utf8').split('.');
  if (of !== list || position === undefined || !/^\d{1,15}$/.test(position) || more.length > 0) {
    throw invalidInput([
      {
        pointer: '/cursor',
        detail:
          '`cursor` is not a cursor of this list; send the `next_cursor` of its previous page, or none for the first page.',
      },
    ]);
  }
  return { after: Number(position), limit };
}

export interface PageEnd {
  has_more: boolean;
  next_cursor: string | null;
}

/**
 * Splits the entries that were read into the page and whether there are more.
 * @param read up to one entry more than the page
 * @param positionOf the position of an entry in the list, a whole number
 */
export function pageOf<T>(
  read: readonly T[],
  request: PageRequest,
  list: string,
  positionOf: (entry: T) => number,
): { entries: T[]; end: PageEnd } {
  const entries = read.slice(0, request.limit);
  const last = entries.at(-1);
  const hasMore = read.length > request.limit && last !== undefined;
  return { entries, end: pageEnd(list, hasMore ? positionOf(last) : undefined) };
}

/** The end of a page. @param position of its last entry; undefined if there are no more pages */
export function pageEnd(list: string, position: number | undefined): PageEnd {
  const next = position === undefined ? null : Buffer.from(`${list}.${position}`).toString('base64url');
  return { has_more: next !== null, next_cursor: next };
}
