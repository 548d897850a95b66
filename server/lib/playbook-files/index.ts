export { archivePieces, type PlaybookArchive, readArchive, WrongArchive, writeArchive } from './archive.ts';
export { fileNameOf, filesOf } from './file-names.ts';
export { type Manifest, MANIFEST, MANIFEST_BYTES, readManifest, WrongManifest } from './manifest.ts';
export { readArchiveInWorker } from './read-archive.ts';
export type { DigestedArchive } from './read-archive.job.ts';
