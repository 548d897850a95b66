/** At most so many UTF-16 units of a text, with an ellipsis where it was cut. Surrogate pairs are not split. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** At most so many bytes of UTF-8, without splitting a character. Lone surrogates become U+FFFD. */
export function cutBytes(text: string, most: number): string {
  const bytes = Buffer.from(text.toWellFormed());
  if (bytes.length <= most) return bytes.toString();
  let end = most;
  // A byte 10xxxxxx continues a character that began before it.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
