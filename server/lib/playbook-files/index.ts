export { type PlaybookArchive, readArchive, WrongArchive, writeArchive } from './archive.ts';
export { fileNameOf, filesOf } from './file-names.ts';
export { type Manifest, MANIFEST, MANIFEST_BYTES, readManifest, WrongManifest } from './manifest.ts';
