/** The text, or its beginning when it is longer; never half of a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The first so many bytes of UTF-8, no character in halves; what is no character becomes U+FFFD. */
export function cutBytes(text: string, most: number): string {
  const bytes = Buffer.from(text.toWellFormed());
  if (bytes.length <= most) return bytes.toString();
  let end = most;
  // A byte 10xxxxxx goes on a character that began before it.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
