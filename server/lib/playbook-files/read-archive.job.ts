// Reads an archive in a worker, with the digest of each definition.
import { hash } from 'node:crypto';
import { type PlaybookArchive, readArchive, WrongArchive } from './archive.ts';
import type { DefinitionSource } from './file-names.ts';

export type ArchiveReading = { ok: true; archive: DigestedArchive } | { ok: false; faults: readonly string[] };

export interface DigestedArchive extends Omit<PlaybookArchive, 'definitions'> {
  definitions: DigestedSource[];
}

interface DigestedSource extends DefinitionSource {
  /** SHA-256 of the source's UTF-8 bytes, in lower-case hex. */
  sha256: string;
}

export async function readArchiveJob({ bytes }: { bytes: Uint8Array }): Promise<ArchiveReading> {
  try {
    const { definitions, ...rest } = await readArchive(bytes);
    const digested = definitions.map((one) => ({ ...one, sha256: hash('sha256', one.source, 'hex') }));
    return { ok: true, archive: { ...rest, definitions: digested } };
  } catch (error) {
    if (error instanceof WrongArchive) return { ok: false, faults: error.faults };
    throw error;
  }
}
