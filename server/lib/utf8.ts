// Decoding of files and uploads that must be UTF-8. Nothing is replaced: a wrong encoding would change what people wrote.

export type DecodedText =
  | { ok: true; text: string }
  /** `fault` completes a sentence that begins with the name of the text. */
  | { ok: false; fault: string };

/** Decodes strictly. A byte order mark is left out unless the text is to be written back byte for byte. */
export function decodeUtf8(bytes: Uint8Array, { keepsMark = false } = {}): DecodedText {
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepsMark }).decode(bytes) };
  } catch {
    return { ok: false, fault: `is not UTF-8 text; save it as UTF-8. ${whatIsWrong(bytes)}` };
  }
}

/** A text that was read with its byte order mark, without it. */
export function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}

/** What is wrong with bytes that are not UTF-8, as a sentence. @param before how many bytes come before them */
export function whatIsWrong(bytes: Uint8Array, before = 0): string {
  if (before === 0 && (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff))) return 'It is UTF-16 text.';
  const offset = firstInvalidByte(bytes);
  const hex = (bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  return `The byte at offset ${before + offset} (0x${hex}) is not valid.`;
}

function startsWith(bytes: Uint8Array, first: number, second: number): boolean {
  return bytes[0] === first && bytes[1] === second;
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
