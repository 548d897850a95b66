// A playbook in a zip archive, read and written as a folder is.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { ARCHIVE_BYTES } from '../../../shared/limits.ts';
import type { ExportedPlaybook } from '../../domain/folders/index.ts';
import { sha256 } from '../../kernel/contents/index.ts';
import { readArchive, WrongArchive, writeArchive } from '../../lib/playbook-files/index.ts';
import { codeOf, CommandFailure, misused } from './failure.ts';
import type { PlaybookFolder } from './folder-files.ts';
import { replaceFile } from './text-file.ts';

/** Whether a path names an archive and not a folder. */
export function isArchiveName(file: string): boolean {
  return path.extname(file).toLowerCase() === '.zip';
}

/** @throws CommandFailure that lists every invalid file of the archive */
export async function readArchiveFile(file: string): Promise<PlaybookFolder> {
  try {
    const { definitions, ignored, ...manifest } = await readArchive(bytesOf(file));
    return {
      ...manifest,
      definitions: definitions.map((one) => ({ ...one, sha256: sha256(one.source) })),
      notes: ignored.map((name) => `${name} is ignored; it is not part of the playbook.`),
    };
  } catch (error) {
    if (!(error instanceof WrongArchive)) throw error;
    throw misused(error.faults.map((fault) => `${file}: ${fault}`).join('\n'));
  }
}

/** Replaces an existing file. @throws CommandFailure */
export async function writeArchiveFile(file: string, { definitions, ...manifest }: ExportedPlaybook): Promise<void> {
  replaceFile(file, await writeArchive(manifest, definitions));
}

function bytesOf(file: string): Uint8Array {
  try {
    const stat = statSync(file);
    if (!stat.isFile()) throw misused(`${file} is not a file; name a zip archive, or use cuebook apply for a folder.`);
    if (stat.size > ARCHIVE_BYTES)
      throw misused(`${file} has ${stat.size} bytes; the limit is ${ARCHIVE_BYTES} bytes.`);
    return readFileSync(file);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw misused(`Cannot read the file ${file} (${codeOf(error)}).`);
  }
}
