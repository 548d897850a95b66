import { cutText } from './cut-text.ts';

/** Names a place in a value: nested fields by their path, items of lists by their place, from 1. */
export function fieldWords(tokens: readonly string[], value: unknown, root: string): string {
  let words = '';
  let fields: string[] = [];
  let at: unknown = value;
  for (const token of tokens) {
    if (Array.isArray(at)) {
      const list = fields.length === 0 ? '' : ` of ${quoted(fields)}`;
      words = ` in item ${Number(token) + 1}${list}${words}`;
      fields = [];
    } else fields.push(token);
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[token] : undefined;
  }
  if (fields.length > 0) return cutText(`${quoted(fields)}${words}`, 400);
  return words === '' ? root : cutText(words.slice(' in '.length), 400);
}

function quoted(fields: readonly string[]): string {
  return `\`${cutText(fields.map((field) => cutText(field, 60)).join('.'), 200).replace(/[\s\p{Cc}]+/gu, ' ')}\``;
}
