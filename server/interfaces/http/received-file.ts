// The file that the body of an upload is received into, before anything else is done for it.
//
// 1. It has no name from the moment it is open, where the system allows that: nothing of it is left when the process is
//    killed. Where it keeps its name, it is removed when it is closed, and at the next start.
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { KIB } from '../../../shared/product.ts';
import { unavailable } from '../../lib/rejection.ts';

const READ_BYTES = 256 * KIB;
const FULL_SECONDS = 60;

const FULL_DISK = 'There is no room on the disk of the server for the upload; try again later.';
const OPEN_FILES = 'The server has too many open files to receive the upload; try again later.';
/** What a caller can read where the system refuses room for the file, by the code of its error. */
const NO_ROOM: Readonly<Record<string, string>> = {
  ENOSPC: FULL_DISK,
  EDQUOT: FULL_DISK,
  EFBIG: 'The server is not allowed to write a file as large as the upload (`ulimit -f`); ask its operator.',
  EMFILE: OPEN_FILES,
  ENFILE: OPEN_FILES,
};

/** Removes what an earlier process left in the folder, which is made. */
export function prepareFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

export interface ReceivedFile {
  /** @throws Refused `unavailable` if there is no room for it */
  write(bytes: Buffer): Promise<void>;
  /** The content from its beginning. */
  read(): AsyncGenerator<Buffer>;
  /** Closes and removes it. */
  close(): Promise<void>;
}

/** @throws Refused `unavailable` if there is no room for it */
export async function openReceivedFile(folder: string): Promise<ReceivedFile> {
  const named = path.join(folder, randomUUID());
  const handle = await refusingFull(() => openIn(folder, named));
  const isNameless = await rm(named).then(
    () => true,
    () => false,
  );
  let length = 0;
  return {
    async write(bytes) {
      await refusingFull(() => writeAll(handle, bytes, length));
      length += bytes.length;
    },
    async *read() {
      for (let at = 0; at < length; ) {
        // oxlint-disable-next-line no-await-in-loop -- a part is read when it is asked for
        const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, at);
        if (bytesRead === 0) throw new Error('The file of an upload was cut.');
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    },
    async close() {
      await handle.close();
      if (!isNameless) await rm(named, { force: true });
    },
  };
}

async function openIn(folder: string, named: string): Promise<FileHandle> {
  try {
    return await open(named, 'wx+', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // Someone removed the folder.
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return open(named, 'wx+', 0o600);
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    // oxlint-disable-next-line no-await-in-loop -- the rest of the same bytes
    written += (await handle.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  }
}

async function refusingFull<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const detail = NO_ROOM[(error as NodeJS.ErrnoException).code ?? ''];
    throw detail === undefined ? error : unavailable(detail, { retryAfter: FULL_SECONDS });
  }
}
