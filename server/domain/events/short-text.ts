import { jsonBytes } from '../../lib/canonical-json.ts';

/** The text's beginning; no character is cut in two. */
export function firstCharacters(text: string, count: number): string {
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('');
}

/** A text that takes at most so many bytes as JSON, its quotes left out; what was cut ends in an ellipsis. */
export function shortText(text: string, bytes: number): string {
  const most = bytes - Buffer.byteLength('…');
  let size = 0;
  let beginning = '';
  for (const character of text) {
    size += jsonBytes(character) - 2;
    if (size > bytes) return `${beginning}…`;
    if (size <= most) beginning += character;
  }
  return text;
}
