const SHOWN = 4;
const LEAST_SHOWN_OF = 12;

/** What may be shown of a secret: its last four characters, where it has at least twelve. */
export function shownEnd(text: string): string | null {
  const characters = Array.from(text);
  return characters.length < LEAST_SHOWN_OF ? null : characters.slice(-SHOWN).join('');
}
