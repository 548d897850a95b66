// CSV (RFC 4180, UTF-8, with or without a byte order mark) as it streams, record by record, each with the line on which it
// starts. Every fault ends the reading with `Refused` and one issue at the body, whose detail begins with the line.
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, type Parser, parse } from 'csv-parse';
import { KIB } from '../../../shared/product.ts';
import { invalidInput, type Refused } from '../rejection.ts';
import { whatIsWrong } from '../utf8.ts';

/** No record of a dataset is longer, in bytes. */
const MOST_RECORD = 64 * KIB;
/** Bytes in which a record must end. The parser's own limit counts neither quotes nor commas. */
const MOST_UNENDED = 512 * KIB;
/** Bytes that the parser gets at once. */
const PIECE = 64 * KIB;
const LINE_BREAK = /\r\n|\n|\r/g;
const NEW_LINE = 0x0a;

/** A fault of a CSV file. `line` counts from 1. */
export function refusedAt(line: number, detail: string): Refused {
  return invalidInput([{ pointer: '', detail: `Line ${line}: ${detail}` }]);
}

/**
 * Calls back with each record in turn; what the callback throws ends the reading. Empty lines are skipped. The first line
 * says whether commas, semicolons, tabs or bars separate the fields; Excel's `sep=;` before the header says so too.
 * @throws Refused `invalid_input` when the file is not CSV in UTF-8, or a record has not as many fields as the first
 */
export async function readCsv(
  chunks: AsyncIterable<Uint8Array>,
  onRecord: (fields: readonly string[], line: number, delimiter: Delimiter) => void,
): Promise<void> {
  const { delimiter, isDeclared, whole } = await findDelimiter(checkUtf8(chunks));
  const header = isDeclared ? 2 : 1;
  let fields = 0;
  let records = 0;
  /** Line breaks inside quoted fields; the parser's own count takes CRLF there for two. */
  let inside = 0;
  const lineOfNext = (parser: Parser): number => 1 + records + inside + parser.info.empty_lines;
  const parser: Parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: MOST_RECORD,
    on_record(record: string[]) {
      const line = lineOfNext(parser);
      records += 1;
      for (const field of record) {
        if (field.includes('\n') || field.includes('\r')) inside += field.match(LINE_BREAK)?.length ?? 0;
      }
      if (records < header) return null;
      if (records === header) fields = record.length;
      if (record.length !== fields) {
        throw refusedAt(line, `${count(record.length)} where the header has ${fields}; write one for each column.`);
      }
      onRecord(record, line, delimiter);
      return null;
    },
  });
  parser.resume();
  try {
    await pipeline(Readable.from(cut(whole, parser), { highWaterMark: 1 }), parser);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refusedAt(lineOfNext(parser), sentenceOf(error));
  }

  /** Without an end, a record of empty fields would take many times its size in memory. */
  async function* cut(pieces: AsyncIterable<Buffer>, reader: Parser): AsyncGenerator<Buffer> {
    let ended = 0;
    let unended = 0;
    for await (const bytes of pieces) {
      for (let at = 0; at < bytes.length; at += PIECE) {
        const now = records + reader.info.empty_lines;
        if (now > ended) unended = 0;
        ended = now;
        unended += Math.min(PIECE, bytes.length - at);
        if (unended > MOST_UNENDED) throw refusedAt(lineOfNext(reader), TOO_LONG);
        yield bytes.subarray(at, at + PIECE);
      }
    }
  }
}

const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** The line before the header in which Excel declares the separator. */
const DECLARED = /^"?sep=([,;\t|])"?$/i;

/**
 * The separator that the first line that is not empty declares, else the one that is most frequent there outside of
 * quotes; commas, where none is.
 */
async function findDelimiter(
  chunks: AsyncGenerator<Buffer>,
): Promise<{ delimiter: Delimiter; isDeclared: boolean; whole: AsyncGenerator<Buffer> }> {
  let begin = Buffer.alloc(0);
  let line: string | undefined;
  while (line === undefined && begin.length < MOST_RECORD) {
    // oxlint-disable-next-line no-await-in-loop -- the pieces come one after the other
    const next = await chunks.next();
    if (next.done === true) break;
    begin = Buffer.concat([begin, next.value]);
    line = /^\s*(\S.*?)[\r\n]/.exec(begin.toString())?.[1];
  }
  const counted = (line ?? begin.toString()).replaceAll(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: counted.split(delimiter).length }));
  const most = counts.reduce((best, one) => (one.count > best.count ? one : best));
  async function* whole(): AsyncGenerator<Buffer> {
    if (begin.length > 0) yield begin;
    yield* chunks;
  }
  const declared = DELIMITERS.find((delimiter) => delimiter === DECLARED.exec(line ?? '')?.[1]);
  return { delimiter: declared ?? most.delimiter, isDeclared: declared !== undefined, whole: whole() };
}

const TOO_LONG = `the row is longer than ${MOST_RECORD} bytes; a closing quote may be missing.`;

function count(fields: number): string {
  return fields === 1 ? 'there is 1 field' : `there are ${fields} fields`;
}

function sentenceOf({ code }: CsvError): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quoted field that begins here has no closing quote.';
    case 'CSV_MAX_RECORD_SIZE':
      return TOO_LONG;
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'a closing quote is followed by more text; write a quote inside a quoted field twice.';
    default:
      return 'a quote is inside a field that is not quoted; quote the whole field, and write the inner quote twice.';
  }
}

/** Passes the chunks on. A character may be cut in two by the end of a chunk. */
async function* checkUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let line = 1;
  let offset = 0;
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes =
      rest.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : Buffer.concat([rest, chunk]);
    const end = bytes.length - unfinishedBytes(bytes);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) throw notUtf8(whole, { line, offset });
    const nul = whole.indexOf(0);
    if (nul !== -1) throw refusedAt(line + breaksIn(whole.subarray(0, nul)), 'there is a NUL character; remove it.');
    rest = Buffer.from(bytes.subarray(end));
    line += breaksIn(whole);
    offset += whole.length;
    if (whole.length > 0) yield whole;
  }
  if (rest.length > 0) throw notUtf8(rest, { line, offset });
}

function breaksIn(bytes: Buffer): number {
  let breaks = 0;
  for (let at = bytes.indexOf(NEW_LINE); at !== -1; at = bytes.indexOf(NEW_LINE, at + 1)) breaks += 1;
  return breaks;
}

/** How many bytes at the end may be the beginning of a character, at most 3. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (isContinuation) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? back : 0;
  }
  return 0;
}

function notUtf8(bytes: Buffer, from: { line: number; offset: number }): Refused {
  let { line } = from;
  let begin = 0;
  for (let at = bytes.indexOf(NEW_LINE); at !== -1; at = bytes.indexOf(NEW_LINE, begin)) {
    if (!isUtf8(bytes.subarray(begin, at))) break;
    line += 1;
    begin = at + 1;
  }
  return refusedAt(line, `the text is not UTF-8; save the file in this encoding. ${whatIsWrong(bytes, from.offset)}`);
}
