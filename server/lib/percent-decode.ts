/** A text without its percent-encoding, or as it is where that is not valid: texts come from documents and callers. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
