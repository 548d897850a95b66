// Rules for the texts of an event. A character is a Unicode code point.

/** C0 controls, DEL, C1 controls; then lone surrogates; then the 66 noncharacters. */
const REFUSED_CHARACTER = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/** What is wrong with the characters of a text, as the end of a sentence; undefined if nothing is. */
export function refusedCharacter(text: string): string | undefined {
  const index = text.search(REFUSED_CHARACTER);
  if (index === -1) return undefined;
  const codePoint = text.codePointAt(index) ?? 0;
  const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  return `must not contain control characters, lone surrogates or noncharacters; remove ${name}.`;
}

export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function hasNonSpace(text: string): boolean {
  return /\S/u.test(text);
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"';
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?: *; *${TOKEN}=(?:${TOKEN}|${QUOTED}))*$`);

/** A media type of RFC 9110, section 8.3.1, with or without parameters; printable ASCII only. */
export function isMediaType(text: string): boolean {
  return MEDIA_TYPE.test(text);
}
