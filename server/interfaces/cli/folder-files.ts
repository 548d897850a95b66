// A playbook on disk: `playbook.yaml` and one file per definition, named NAME.TYPE.SUFFIX.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { formatOf, type DefinitionType, typeOfFile } from '../../../shared/definition-types.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { sha256 } from '../../kernel/contents/index.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { type Manifest, MANIFEST } from '../../lib/playbook-files/index.ts';
import { readManifestOf } from './manifest.ts';
import { isName, NAME_RULE } from '../../../shared/names.ts';
import { passedOver } from './passed-over.ts';
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
  const wrongs: string[] = [];
  const gathered = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      wrongs.push(error.message);
      return undefined;
    }
  };
  const manifest = gathered(
    () => readManifestOf(folder) ?? refuse(`The file ${path.join(folder, MANIFEST)} does not exist.`),
  );
  const definitions = files
    .map((file) => gathered(() => readDefinition(folder, file)))
    .filter((definition) => definition !== undefined);
  if (manifest === undefined || wrongs.length > 0) refuse(wrongs.join('\n'));
  return { ...manifest, definitions, notes: passedOver(folder, files) };
}

/** The files of a folder whose names are those of definitions, whatever their content. */
export function definitionFilesOf(folder: string): string[] {
  return filesOf(folder).filter((file) => typeOfFile(file) !== undefined);
}

function readDefinition(folder: string, file: string): DefinitionFile | undefined {
  const type = typeOfFile(file);
  if (type === undefined) return undefined;
  const name = file.slice(0, -formatOf(type).fileSuffix.length);
  const place = path.join(folder, file);
  if (!isName(name))
    refuse(`${place}: ${JSON.stringify(name)} is not a valid definition name; it must be ${NAME_RULE}.`);
  const source = readTextFile(place, LIMITS.sourceBytes, 'split the definition into several');
  return source === undefined ? undefined : { type, name, source, sha256: sha256(source) };
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return refuse(`Cannot read the folder ${folder}.`);
  }
}

function refuse(sentence: string): never {
  throw new CommandFailure(sentence, EXIT.misused);
}
