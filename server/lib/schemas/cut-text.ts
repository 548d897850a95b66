/** The text, or its beginning when it is longer; never half of a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A value of a schema's, as JSON that is short enough for a sentence. */
export function shownJson(value: unknown): string {
  return cutText(JSON.stringify(value) ?? 'null', 60);
}

/** A name out of a schema or a value, in quotes and on one line. */
export function shownName(name: string): string {
  return `\`${cutText(name, 60).replace(/[\s\p{Cc}]+/gu, ' ')}\``;
}
