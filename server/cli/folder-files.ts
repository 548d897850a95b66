// A playbook on disk: `playbook.yaml` and one file a definition, named NAME.TYPE.SUFFIX.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { DEFINITION_FORMATS, type DefinitionType, DEFINITION_TYPES } from '../../shared/definition-types.ts';
import { nearestName } from '../../shared/nearest-name.ts';
import { isJsonObject, type Json } from '../../shared/json.ts';
import { sha256 } from '../kernel/contents/index.ts';
import { ambientDeclarations } from '../kernel/programs/index.ts';
import { CommandFailure, EXIT } from './failure.ts';

const MANIFEST = 'playbook.yaml';
const DECLARATIONS = 'cuebook.d.ts';
const MANIFEST_KEYS = ['playbook', 'name', 'description'];

export interface DefinitionFile {
  type: DefinitionType;
  name: string;
  source: string;
  sha256: string;
}

export interface PlaybookFolder {
  playbook: string;
  name: string;
  description: string;
  definitions: DefinitionFile[];
}

/** Reads a folder. Files that are no definitions are left alone. @throws CommandFailure */
export function readFolder(folder: string): PlaybookFolder {
  const definitions: DefinitionFile[] = [];
  for (const file of filesOf(folder)) {
    const type = DEFINITION_TYPES.find((known) => file.endsWith(DEFINITION_FORMATS[known].fileSuffix));
    if (type === undefined) continue;
    const source = readText(path.join(folder, file));
    definitions.push({
      type,
      name: file.slice(0, -DEFINITION_FORMATS[type].fileSuffix.length),
      source,
      sha256: sha256(source),
    });
  }
  return { ...readManifest(path.join(folder, MANIFEST)), definitions };
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    throw wrong(`There is no folder ${folder} that can be read.`);
  }
}

function readManifest(file: string): Omit<PlaybookFolder, 'definitions'> {
  let manifest: Json;
  try {
    manifest = parse(readText(file)) as Json;
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw wrong(`${file} is not YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isJsonObject(manifest)) throw wrong(`${file} must hold \`playbook\` and \`name\`.`);
  for (const key of Object.keys(manifest)) {
    if (MANIFEST_KEYS.includes(key)) continue;
    const near = nearestName(key, MANIFEST_KEYS);
    throw wrong(
      `${file} has an unknown key \`${key}\`${near === undefined ? '' : `; did you mean \`${near}\``}. It takes ${MANIFEST_KEYS.join(', ')}.`,
    );
  }
  const text = (key: string, otherwise?: string): string => {
    const value = manifest[key] ?? otherwise;
    if (typeof value === 'string') return value;
    throw wrong(`${file} needs \`${key}\`, a text.`);
  };
  return { playbook: text('playbook'), name: text('name'), description: text('description', '') };
}

function readText(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw wrong(isMissing ? `There is no file ${file}.` : `The file ${file} cannot be read.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw wrong(`${file} is not UTF-8 text.`);
  }
}

/** Writes a playbook as files, beside whatever else the folder holds. Answers the names of the files written. */
export function writeFolder(folder: string, { definitions, ...manifest }: PlaybookFolder): string[] {
  mkdirSync(folder, { recursive: true });
  const files: [name: string, text: string][] = [
    [MANIFEST, stringify(manifest)],
    ...definitions.map(({ type, name, source }): [string, string] => [
      `${name}${DEFINITION_FORMATS[type].fileSuffix}`,
      source,
    ]),
  ];
  for (const [name, text] of files) writeFileSync(path.join(folder, name), text);
  writeDeclarations(folder, definitions);
  return files.map(([name]) => name);
}

/** Keeps `cuebook.d.ts` beside programs, so that an editor knows the ambient names. */
export function writeDeclarations(folder: string, definitions: readonly DefinitionFile[]): void {
  if (!definitions.some(({ type }) => type === 'computation' || type === 'recall')) return;
  writeFileSync(path.join(folder, DECLARATIONS), ambientDeclarations());
}

function wrong(sentence: string): CommandFailure {
  return new CommandFailure(sentence, EXIT.misused);
}
