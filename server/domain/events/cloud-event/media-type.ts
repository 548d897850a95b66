const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"';
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?: *; *${TOKEN}=(?:${TOKEN}|${QUOTED}))*$`);

/** A media type of RFC 9110, section 8.3.1, with or without parameters; printable ASCII only. */
export function isMediaType(text: string): boolean {
  return MEDIA_TYPE.test(text);
}
