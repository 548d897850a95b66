// A playbook on disk: `playbook.yaml` and one file per definition, named NAME.TYPE.SUFFIX.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { formatOf, type DefinitionType, typeOfFile } from '../../../shared/definition-types.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { isName, NAME_RULE } from '../../../shared/names.ts';
import { sha256 } from '../../kernel/contents/index.ts';
import {
  type Manifest,
  MANIFEST,
  MANIFEST_BYTES,
  readManifest,
  WrongManifest,
} from '../../lib/playbook-files/index.ts';
import { CommandFailure, misused } from './failure.ts';
import { ignoredFiles } from './ignored-files.ts';
import { readTextFile } from './text-file.ts';

export interface DefinitionFile {
  type: DefinitionType;
  name: string;
  source: string;
  sha256: string;
}

export interface PlaybookFolder extends Manifest {
  definitions: DefinitionFile[];
  /** One message for each file that looks like a definition but is ignored. */
  notes: string[];
}

/** Reads a folder. Files that are not definitions are ignored. @throws CommandFailure that lists every invalid file */
export function readFolder(folder: string): PlaybookFolder {
  const files = filesOf(folder);
  const faults: string[] = [];
  const collectFaults = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      faults.push(error.message);
      return undefined;
    }
  };
  const manifest = collectFaults(() => {
    const found = readManifestOf(folder);
    if (found === undefined) throw misused(`The file ${path.join(folder, MANIFEST)} does not exist.`);
    return found;
  });
  const definitions = files
    .map((file) => collectFaults(() => readDefinition(folder, file)))
    .filter((definition) => definition !== undefined);
  if (manifest === undefined || faults.length > 0) throw misused(faults.join('\n'));
  return { ...manifest, definitions, notes: ignoredFiles(folder, files) };
}

/** The manifest of the folder; undefined if there is none. @throws CommandFailure that names the file */
export function readManifestOf(folder: string): Manifest | undefined {
  const file = path.join(folder, MANIFEST);
  const text = readTextFile(file, MANIFEST_BYTES, 'it contains only the id, name and description of the playbook');
  try {
    return text === undefined ? undefined : readManifest(file, text);
  } catch (error) {
    throw error instanceof WrongManifest ? misused(error.message) : error;
  }
}

/** The files of a folder whose names are those of definitions, whatever their content. */
export function definitionFilesOf(folder: string): string[] {
  return filesOf(folder).filter((file) => typeOfFile(file) !== undefined);
}

function readDefinition(folder: string, fileName: string): DefinitionFile | undefined {
  const type = typeOfFile(fileName);
  if (type === undefined) return undefined;
  const name = fileName.slice(0, -formatOf(type).fileSuffix.length);
  const file = path.join(folder, fileName);
  if (!isName(name))
    throw misused(`${file}: ${JSON.stringify(name)} is not a valid definition name; it must be ${NAME_RULE}.`);
  const source = readTextFile(file, LIMITS.sourceBytes, 'split the definition into several');
  return source === undefined ? undefined : { type, name, source, sha256: sha256(source) };
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    throw misused(`Cannot read the folder ${folder}.`);
  }
}
