// The attributes that CloudEvents 1.0 names, each with its rules. A check gives the ends of sentences that begin with
// the attribute's name; each says what to write instead.
import { LIMITS } from '../../../../shared/limits.ts';
import { isReservedEventType } from '../../../../shared/schemas/events/index.ts';
import { parseInstant } from './instant.ts';
import { countCharacters, hasNonSpace, isMediaType } from './text-rules.ts';
import { isAbsoluteUri, isUriReference, resolvedPath } from './uri.ts';

const RESERVED_SOURCES = ['/runs/', '/definitions/', '/callers/'];

/** What is wrong with the text of an attribute; its characters were checked before. */
export type TextCheck = (text: string) => string[];

/** Every attribute that the standard names but `data`. */
export const TEXT_ATTRIBUTES: Readonly<Record<string, TextCheck>> = {
  source: (text) => [
    ...tooLong(text, LIMITS.eventSourceCharacters),
    ...unless(text !== '', 'must not be empty; write a URI reference such as /shop/orders.'),
    ...unless(
      isUriReference(text),
      'must be a URI reference (RFC 3986) such as /shop/orders; percent-encode spaces and non-ASCII characters.',
    ),
    ...unless(
      !isReservedSource(text),
      'must not begin with /runs/, /definitions/ or /callers/, which are reserved; write another source.',
    ),
  ],
  type: (text) => [
    ...tooLong(text, LIMITS.eventTypeCharacters),
    ...blank(text),
    ...unless(
      !isReservedEventType(text),
      'must not be a type that is reserved for the service; write your own, such as order.paid.',
    ),
  ],
  id: (text) => [...tooLong(text, LIMITS.eventIdCharacters), ...blank(text)],
  subject: (text) => [...tooLong(text, LIMITS.eventSubjectCharacters), ...blank(text)],
  time: (text) =>
    unless(
      parseInstant(text) !== undefined,
      'must be an existing date and time with an offset (RFC 3339), such as 2026-01-31T07:00:00Z; hours are 00 to 23, and second 60 is valid only at the end of a UTC day.',
    ),
  specversion: (text) => unless(text === '1.0', 'must be "1.0"; write that or leave it out.'),
  datacontenttype: (text) =>
    unless(isMediaType(text), 'must be a media type such as application/json or text/plain; charset=utf-8.'),
  dataschema: (text) =>
    unless(
      isAbsoluteUri(text),
      'must be an absolute URI (RFC 3986) without a fragment, such as https://example.com/schemas/order.',
    ),
};

/** Also where only somebody who resolves the source reads it so; a source that is too long is refused anyway. */
function isReservedSource(text: string): boolean {
  const resolved = resolvedPath(text.slice(0, 2 * LIMITS.eventSourceCharacters));
  return RESERVED_SOURCES.some((prefix) => text.startsWith(prefix) || resolved.startsWith(prefix));
}

function tooLong(text: string, most: number): string[] {
  // A code point takes at most two code units: what is longer than that need not be counted.
  const count = text.length > 2 * most ? undefined : countCharacters(text);
  const has = count === undefined ? `more than ${most}` : String(count);
  return unless(
    count !== undefined && count <= most,
    `must have at most ${most} characters and has ${has}; shorten it.`,
  );
}

function blank(text: string): string[] {
  return unless(hasNonSpace(text), 'must not be blank; write at least one visible character.');
}

function unless(holds: boolean, sentence: string): string[] {
  return holds ? [] : [sentence];
}
