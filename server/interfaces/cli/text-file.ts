// Files that somebody else may have laid out: a cloned folder, or names that a service gave.
//
// 1. Only regular files are read, never further than their bound, and no link is followed.
// 2. A file is written beside its place and then renamed: what stood there, a link too, is replaced and not written
//    through, and nobody reads half a file.
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { codeOf, CommandFailure, EXIT } from './failure.ts';

/**
 * The text of a file; undefined where there is none.
 * @param mostBytes how many bytes the file may have
 * @param tooLarge what is to be done about a larger one, as the end of a sentence
 * @throws CommandFailure that names the file
 */
export function readTextFile(file: string, mostBytes: number, tooLarge: string): string | undefined {
  const descriptor = openRegular(file);
  if (descriptor === undefined) return undefined;
  try {
    const { size } = fstatSync(descriptor);
    const bytes = readBounded(descriptor, mostBytes);
    if (bytes === undefined) {
      throw wrong(`${file} has ${Math.max(size, mostBytes + 1)} bytes and may have ${mostBytes}; ${tooLarge}.`);
    }
    return decode(file, bytes);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a file of a folder; one that holds the same text already stays as it is. @throws CommandFailure */
export function writeTextFile(folder: string, name: string, text: string): void {
  const file = path.join(folder, name);
  if (holdsAlready(file, text)) return;
  const beside = path.join(folder, `.${name}.${randomUUID()}`);
  try {
    writeFileSync(beside, text, { flag: 'wx' });
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw wrong(`The file ${file} cannot be written (${codeOf(error)}).`);
  }
}

function openRegular(file: string): number | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink())
    throw wrong(`${file} is a symbolic link, which is not followed; put the file itself there.`);
  if (!stat.isFile()) throw wrong(`${file} is no file; put a text file there.`);
  try {
    // It may have become another since: a link is not followed, and a pipe that nobody writes to holds nothing up.
    return openSync(file, constants.O_RDONLY | unixFlag('O_NOFOLLOW') | unixFlag('O_NONBLOCK'));
  } catch (error) {
    throw wrong(`The file ${file} cannot be read (${codeOf(error)}).`);
  }
}

/** A flag that Windows lacks, where it has no such files either. */
function unixFlag(name: 'O_NOFOLLOW' | 'O_NONBLOCK'): number {
  return process.platform === 'win32' ? 0 : constants[name];
}

/** Everything, or undefined when there is more than the bound. */
function readBounded(descriptor: number, mostBytes: number): Uint8Array | undefined {
  const bytes = Buffer.alloc(mostBytes + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, bytes, length, bytes.length - length, null);
    if (read === 0) return bytes.subarray(0, length);
    length += read;
    if (length > mostBytes) return undefined;
  }
}

function decode(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw wrong(`${file} is not UTF-8 text; save it as UTF-8.`);
  }
}

function holdsAlready(file: string, text: string): boolean {
  try {
    return readTextFile(file, Buffer.byteLength(text), '') === text;
  } catch {
    return false;
  }
}

function wrong(sentence: string): CommandFailure {
  return new CommandFailure(sentence, EXIT.misused);
}
