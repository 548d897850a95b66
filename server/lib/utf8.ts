// Decoding of files and uploads that must be UTF-8. Nothing is replaced: a wrong encoding would change what people wrote.

export type DecodedText =
  | { ok: true; text: string }
  /** `fault` completes a sentence that begins with the name of the text. */
  | { ok: false; fault: string };

/** Decodes strictly. A byte order mark is left out unless the text is to be written back byte for byte. */
export function decodeUtf8(bytes: Uint8Array, { keepsMark = false } = {}): DecodedText {
  const wrong = (): DecodedText => ({ ok: false, fault: `is not UTF-8 text; save it as UTF-8. ${whatIsWrong(bytes)}` });
  if (wideEncoding(bytes) !== undefined) return wrong();
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepsMark }).decode(bytes) };
  } catch {
    return wrong();
  }
}

/** A text that was read with its byte order mark, without it. */
export function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}

/** What is wrong with bytes that are not UTF-8, as a sentence. @param before how many bytes come before them */
export function whatIsWrong(bytes: Uint8Array, before = 0): string {
  const wide = before === 0 ? wideEncoding(bytes) : undefined;
  if (wide !== undefined) return `It is ${wide} text.`;
  const offset = firstInvalidByte(bytes);
  const hex = (bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  return `The byte at offset ${before + offset} (0x${hex}) is not valid.`;
}

/** By the byte order mark, or by the zeros around the first character: no text in UTF-8 begins with them. */
function wideEncoding(bytes: Uint8Array): 'UTF-16' | 'UTF-32' | undefined {
  const [first, second, third, fourth] = bytes;
  if (second === undefined) return undefined;
  if (first === 0 && second === 0) return 'UTF-32';
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (!isMarked && first !== 0 && second !== 0) return undefined;
  return third === 0 && fourth === 0 ? 'UTF-32' : 'UTF-16';
}

const REPLACEMENT = '\ufffd';
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);

/** Where the first character begins that was replaced, and that is no replacement character itself. */
function firstInvalidByte(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  let offset = 0;
  let from = 0;
  for (let at = text.indexOf(REPLACEMENT); at !== -1; at = text.indexOf(REPLACEMENT, from)) {
    offset += Buffer.byteLength(text.slice(from, at));
    if (!buffer.subarray(offset, offset + REPLACEMENT_BYTES.length).equals(REPLACEMENT_BYTES)) return offset;
    offset += REPLACEMENT_BYTES.length;
    from = at + 1;
  }
  return offset;
}
