// Texts as PostgreSQL stores them. It refuses U+0000, which JSON and SQLite allow: it is stored as U+FFFF and a 0, and
// U+FFFF, which no text needs, as two of it.

export function storedText(text: string): string {
  if (!text.includes('\0') && !text.includes('\uFFFF')) return text;
  return text.replaceAll('\uFFFF', '\uFFFF\uFFFF').replaceAll('\0', '\uFFFF0');
}

export function readText(stored: string): string {
  if (!stored.includes('\uFFFF')) return stored;
  return stored.replaceAll(/\uFFFF([0\uFFFF])/g, (_, sign) => (sign === '0' ? '\0' : '\uFFFF'));
}
