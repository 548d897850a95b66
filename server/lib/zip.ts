// Zip archives of small files, in memory. An archive may come from anyone.
//
// 1. Names are only labels: nothing is extracted to a file system. Names that lead out of a folder refuse the archive.
// 2. What two programs could read differently is refused: duplicate names, data outside the structure, headers that differ.
// 3. A file is only decompressed when it is read, and never to more bytes than its header states.
import {
  type Entry,
  ERR_AMBIGUOUS_ARCHIVE,
  ERR_INVALID_COMPRESSED_DATA,
  ERR_INVALID_CRC32,
  ERR_INVALID_UNCOMPRESSED_SIZE,
  ERR_OVERLAPPING_ENTRY,
  ERR_UNSAFE_FILENAME,
  ERR_UNSUPPORTED_COMPRESSION,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
  ZipWriter,
} from '@zip.js/zip.js/index-native.js';

import { createYielder } from './event-loop.ts';

/** Why an archive is refused, as sentences for the person who sent it. */
export class ZipFault extends Error {}

export interface ZippedFile {
  /** With slashes. It has no `..`, and is not absolute. */
  name: string;
  /** The size that the archive states. */
  bytes: number;
  /** The content, which has exactly that size. @throws ZipFault */
  read(): Promise<Uint8Array>;
}

/** The earliest time of the format: the same files always give the same archive. */
const NO_TIME = new Date(1980, 0, 1);
const NAME_CHARACTERS = 120;
const DAMAGED = [ERR_INVALID_COMPRESSED_DATA, ERR_INVALID_CRC32, ERR_INVALID_UNCOMPRESSED_SIZE, ERR_OVERLAPPING_ENTRY];

/** An archive in pieces, made no faster than they are read. The same files give the same bytes. */
export async function* zipPieces(
  files: AsyncIterable<readonly [name: string, text: string]>,
): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = new ZipWriter(writable, {
    useWebWorkers: false,
    lastModDate: NO_TIME,
    extendedTimestamp: false,
    // Each file is compressed before it is written, so that its header has its sizes, as strict readers want.
    bufferedWrite: true,
    dataDescriptor: false,
  });
  const encoder = new TextEncoder();
  async function write(): Promise<void> {
    const yieldIfLong = createYielder();
    for await (const [name, text] of files) {
      await yieldIfLong();
      await writer.add(name, new Uint8ArrayReader(encoder.encode(text)));
    }
    await writer.close();
  }
  const writing = write();
  // Told to the reader, which waits for the next piece.
  writing.catch((error: unknown) => writable.abort(error)).catch(() => {});
  yield* readable;
  await writing;
}

/**
 * The files of an archive, without its folders.
 * @param mostEntries the maximum number of files and folders
 * @throws ZipFault
 */
export async function readZip(bytes: Uint8Array, mostEntries: number): Promise<ZippedFile[]> {
  const reader = new ZipReader(new Uint8ArrayReader(bytes), {
    useWebWorkers: false,
    strictness: 'strict',
    checkCrc32: true,
    checkOverlappingEntry: true,
  });
  const files: ZippedFile[] = [];
  let count = 0;
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      count += 1;
      if (count > mostEntries) throw new ZipFault(`The archive has more than ${mostEntries} entries.`);
      const file = fileOf(entry);
      if (file !== undefined) files.push(file);
    }
  } catch (error) {
    throw faultOf(error);
  }
  return files;
}

/** Undefined for a folder. */
function fileOf(entry: Entry): ZippedFile | undefined {
  const name = quoted(entry.filename);
  if (entry.symlink) throw new ZipFault(`The entry ${name} is a link; replace it with the file itself.`);
  if (entry.filename.includes('\\')) throw unsafe(entry.filename);
  if (entry.directory) return undefined;
  if (entry.encrypted) throw new ZipFault(`The entry ${name} is encrypted; zip the files without a password.`);
  return {
    name: entry.filename,
    bytes: entry.uncompressedSize,
    read: () =>
      entry.getData(new Uint8ArrayWriter()).catch((error: unknown) => {
        throw faultOf(error, name);
      }),
  };
}

/** @param read the quoted name of the file that was being read */
function faultOf(error: unknown, read?: string): ZipFault {
  if (error instanceof ZipFault) return error;
  const { message } = error instanceof Error ? error : new Error(String(error));
  if (message === ERR_UNSAFE_FILENAME) {
    return unsafe(error instanceof Error && 'filename' in error ? String(error.filename) : '');
  }
  if (message === ERR_AMBIGUOUS_ARCHIVE) {
    return new ZipFault(
      'The archive can be read in more than one way: a name occurs twice, headers contradict each other, or there is other data around it. Zip the files again.',
    );
  }
  if (read === undefined) return new ZipFault('The file is not a complete zip archive.');
  if (message === ERR_UNSUPPORTED_COMPRESSION) {
    return new ZipFault(`The entry ${read} is compressed with an unsupported method; use deflate.`);
  }
  return new ZipFault(
    DAMAGED.includes(message)
      ? `The entry ${read} is damaged: its content does not match its size or checksum.`
      : `The entry ${read} cannot be read. Zip the files again.`,
  );
}

function unsafe(name: string): ZipFault {
  return new ZipFault(
    `The entry ${quoted(name)} does not have a safe name; names are relative, with slashes and without \`..\`.`,
  );
}

function quoted(name: string): string {
  return JSON.stringify(name.length > NAME_CHARACTERS ? `${name.slice(0, NAME_CHARACTERS)}…` : name);
}
