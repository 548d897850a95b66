// CHANGELOG.md: one entry per version, `## 1.2.3 (DATE)`, the newest first; `## Unreleased` for what no version has yet.

const ENTRY = /^## \[?(?<name>[^\s\]]+).*(?:\n|$)(?<text>[\s\S]*?)(?=^## |(?![\s\S]))/m;

/** The name of the first entry: a version, or `Unreleased`; undefined if there is no entry. */
export function topEntry(changelog: string): string | undefined {
  return ENTRY.exec(changelog)?.groups?.['name'];
}

/** The text of the first entry, which are the notes of a release. */
export function notesOf(changelog: string): string {
  return ENTRY.exec(changelog)?.groups?.['text']?.trim() ?? '';
}
