// A playbook as a zip archive of its files, at the root or in the one folder that was zipped.
import { formatOf, typeOfFile } from '../../../shared/definition-types.ts';
import { ARCHIVE_BYTES, LIMITS } from '../../../shared/limits.ts';
import { isName, NAME_RULE } from '../../../shared/names.ts';
import { harmless } from '../harmless.ts';
import { decodeUtf8 } from '../utf8.ts';
import { readZip, zipPieces, ZipFault, type ZippedFile } from '../zip.ts';
import { type DefinitionSource, fileNameOf, filesOf } from './file-names.ts';
import { type Manifest, MANIFEST, MANIFEST_BYTES, readManifest, WrongManifest } from './manifest.ts';

export interface PlaybookArchive extends Manifest {
  definitions: DefinitionSource[];
  /** The files that are not part of the playbook, by their names in the archive, for a message. */
  ignored: string[];
}

const MOST_DEFINITIONS = 1000;
/** Folders, cases of evaluations and what else may stand beside the definitions. */
const MOST_ENTRIES = 4 * MOST_DEFINITIONS;
/** More files that are wrong are not listed. */
const MOST_FAULTS = 50;

/** Why an archive is not a playbook: at least one sentence. */
export class WrongArchive extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'WrongArchive';
    this.faults = faults;
  }
}

/** An archive in pieces, made no faster than they are read. The same playbook always gives the same bytes. */
export function archivePieces(
  manifest: Manifest,
  definitions: Iterable<DefinitionSource> | AsyncIterable<DefinitionSource>,
): AsyncIterable<Uint8Array> {
  return zipPieces(filesIn(manifest, definitions));
}

async function* filesIn(
  manifest: Manifest,
  definitions: Iterable<DefinitionSource> | AsyncIterable<DefinitionSource>,
): AsyncGenerator<readonly [name: string, text: string]> {
  yield* filesOf(manifest, []);
  for await (const definition of definitions) yield [fileNameOf(definition), definition.source];
}

export async function writeArchive(manifest: Manifest, definitions: readonly DefinitionSource[]): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of archivePieces(manifest, definitions)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/**
 * Reads the manifest and the definitions; other files are not decompressed. The server reads in a worker, see
 * `read-archive.job.ts`: the time depends on who made the archive.
 * @throws WrongArchive
 */
export async function readArchive(bytes: Uint8Array): Promise<PlaybookArchive> {
  try {
    return await readFiles(await readZip(bytes, MOST_ENTRIES));
  } catch (error) {
    if (error instanceof ZipFault || error instanceof WrongManifest) throw new WrongArchive([error.message]);
    throw error;
  }
}

async function readFiles(files: readonly ZippedFile[]): Promise<PlaybookArchive> {
  const manifestFile = findManifest(files);
  const root = manifestFile.name.slice(0, -MANIFEST.length);
  const manifest = readManifest(manifestFile.name, await textOf(manifestFile, MANIFEST_BYTES));
  const isDefinition = ({ name }: ZippedFile): boolean =>
    name.startsWith(root) && !name.slice(root.length).includes('/') && typeOfFile(name) !== undefined;
  const found = files.filter(isDefinition);
  refuseTooMuch(found);
  const faults: string[] = [];
  const definitions: DefinitionSource[] = [];
  for (const file of found) {
    try {
      definitions.push(await definitionOf(file, file.name.slice(root.length)));
    } catch (error) {
      if (!(error instanceof ZipFault)) throw error;
      faults.push(error.message);
      if (faults.length === MOST_FAULTS) break;
    }
  }
  if (faults.length > 0) throw new WrongArchive(faults);
  const ignored = files
    .filter((file) => file !== manifestFile && !isDefinition(file))
    .map(({ name }) => harmless(name));
  return { ...manifest, definitions, ignored };
}

/** The manifest at the root, or in the only folder that has one. */
function findManifest(files: readonly ZippedFile[]): ZippedFile {
  const inFolders = files.filter(({ name }) => /^[^/]+\/playbook\.yaml$/.test(name));
  const found = files.find(({ name }) => name === MANIFEST) ?? inFolders[0];
  if (found === undefined) {
    throw new ZipFault(`The archive has no ${MANIFEST}, neither at its root nor in a folder there.`);
  }
  if (found.name !== MANIFEST && inFolders.length > 1) {
    throw new ZipFault('The archive contains several playbooks; zip the folder of one.');
  }
  return found;
}

function refuseTooMuch(found: readonly ZippedFile[]): void {
  if (found.length > MOST_DEFINITIONS) {
    throw new ZipFault(`The archive has ${found.length} definitions; the maximum is ${MOST_DEFINITIONS}.`);
  }
  const total = found.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > ARCHIVE_BYTES) {
    throw new ZipFault(`The definitions have ${total} bytes together; the limit is ${ARCHIVE_BYTES} bytes.`);
  }
}

async function definitionOf(file: ZippedFile, fileName: string): Promise<DefinitionSource> {
  const type = typeOfFile(fileName);
  if (type === undefined) throw new Error(`${fileName} is not the file of a definition.`);
  const name = fileName.slice(0, -formatOf(type).fileSuffix.length);
  if (!isName(name)) {
    throw new ZipFault(`${fileName}: ${JSON.stringify(name)} is not a valid definition name; it must be ${NAME_RULE}.`);
  }
  return { type, name, source: await textOf(file, LIMITS.sourceBytes) };
}

async function textOf(file: ZippedFile, mostBytes: number): Promise<string> {
  if (file.bytes > mostBytes) {
    throw new ZipFault(`${file.name} has ${file.bytes} bytes; the limit is ${mostBytes} bytes.`);
  }
  const decoded = decodeUtf8(await file.read(), { keepsMark: true });
  if (decoded.ok) return decoded.text;
  throw new ZipFault(`${file.name} ${decoded.fault}`);
}
