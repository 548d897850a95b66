// Files that may not be trustworthy: those of a cloned folder, or with names that a service chose.
//
// 1. Only regular files are read, never past their limit, and links are not followed.
// 2. A file is written under a temporary name and then renamed: an existing file or link is replaced, not written
//    through, and no reader sees half a file.
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { decodeUtf8 } from '../../lib/utf8.ts';
import { codeOf, misused } from './failure.ts';

/**
 * The text of a file, with its byte order mark if it has one; undefined if the file does not exist.
 * @param maxBytes the maximum size of the file in bytes
 * @param tooLarge what to do about a larger file, as the end of a sentence
 * @throws CommandFailure that names the file
 */
export function readTextFile(file: string, maxBytes: number, tooLarge: string): string | undefined {
  const descriptor = openRegular(file);
  if (descriptor === undefined) return undefined;
  try {
    const { size } = fstatSync(descriptor);
    const bytes = readBounded(descriptor, maxBytes);
    if (bytes === undefined) {
      throw misused(`${file} has ${Math.max(size, maxBytes + 1)} bytes; the limit is ${maxBytes} bytes: ${tooLarge}.`);
    }
    return textOfBytes(file, bytes, { keepsMark: true });
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a file in a folder, unless it already has the same text. @throws CommandFailure */
export function writeTextFile(folder: string, name: string, text: string): void {
  const file = path.join(folder, name);
  if (!hasText(file, text)) replaceFile(file, text);
}

/**
 * Writes a file as a whole.
 * @param options.mode its permissions, if they are not those of every new file
 * @param options.backup the file to which the previous content is copied
 * @throws CommandFailure; the previous file is then unchanged
 */
export function replaceFile(
  file: string,
  content: string | Uint8Array,
  { mode, backup }: { mode?: number; backup?: string | undefined } = {},
): void {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}`);
  try {
    writeFileSync(temporary, content, { flag: 'wx', ...(mode === undefined ? {} : { mode }) });
    if (backup !== undefined) copyFileSync(file, backup);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw misused(`Cannot write the file ${file} (${codeOf(error)}).`);
  }
}

/**
 * The text of a file that the caller names.
 * @param fault the sentence for a file that cannot be read, with the code of the system
 * @throws CommandFailure
 */
export function readNamedFile(file: string, fault: (code: string) => string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw misused(fault(codeOf(error)));
  }
  return textOfBytes(file, bytes);
}

function openRegular(file: string): number | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink())
    throw misused(`${file} is a symbolic link; links are not followed. Replace it with the file itself.`);
  if (!stat.isFile()) throw misused(`${file} is not a regular file; replace it with a text file.`);
  try {
    // The file may have been replaced since: a link is not followed, and opening a pipe without a writer does not block.
    return openSync(file, constants.O_RDONLY | unixFlag('O_NOFOLLOW') | unixFlag('O_NONBLOCK'));
  } catch (error) {
    throw misused(`Cannot read the file ${file} (${codeOf(error)}).`);
  }
}

/** A flag that Windows does not have, and does not need. */
function unixFlag(name: 'O_NOFOLLOW' | 'O_NONBLOCK'): number {
  return process.platform === 'win32' ? 0 : constants[name];
}

/** All bytes, or undefined if there are more than the limit. */
function readBounded(descriptor: number, maxBytes: number): Uint8Array | undefined {
  const bytes = Buffer.alloc(maxBytes + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, bytes, length, bytes.length - length, null);
    if (read === 0) return bytes.subarray(0, length);
    length += read;
    if (length > maxBytes) return undefined;
  }
}

/**
 * The text of bytes that were read.
 * @param source what the sentence calls them, such as the name of a file
 * @throws CommandFailure
 */
export function textOfBytes(source: string, bytes: Uint8Array, options?: { keepsMark: boolean }): string {
  const decoded = decodeUtf8(bytes, options);
  if (decoded.ok) return decoded.text;
  throw misused(`${source} ${decoded.fault}`);
}

function hasText(file: string, text: string): boolean {
  try {
    return readTextFile(file, Buffer.byteLength(text), '') === text;
  } catch {
    return false;
  }
}
