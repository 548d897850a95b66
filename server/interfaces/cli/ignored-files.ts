// Files that a person may take for definitions of the playbook, but that are ignored.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { formatOf, DEFINITION_TYPES, typeOfFile } from '../../../shared/definition-types.ts';
import { nearestName } from '../../../shared/nearest-name.ts';
import { MANIFEST } from '../../lib/playbook-files/index.ts';

const ENDINGS = ['ts', 'js', 'mjs', 'mts', 'tsx', 'jsx', 'md', 'markdown', 'yaml', 'yml', 'json'];
/** The maximum number of subfolders that are searched, so that a large folder does not slow the command down. */
const MOST_FOLDERS = 50;

/** One message per file. @param files the files in the folder itself */
export function ignoredFiles(folder: string, files: readonly string[]): string[] {
  const here = files.flatMap((file) => {
    const meant = meantFile(file);
    return meant === undefined ? [] : [`${file} is ignored; did you mean ${meant}?`];
  });
  return [...here, ...below(folder)];
}

/** The name that a file would have as a definition: NAME.WORD.ENDING, where the word is nearly a type. */
function meantFile(file: string): string | undefined {
  if (typeOfFile(file) !== undefined) return undefined;
  const [, name, word = '', ending = ''] = /^(.+)[._]([A-Za-z]+)\.([A-Za-z]+)$/.exec(file) ?? [];
  if (name === undefined || !ENDINGS.includes(ending.toLowerCase())) return undefined;
  const near = nearestName(word, DEFINITION_TYPES);
  const type = DEFINITION_TYPES.find((known) => known === near);
  return type === undefined ? undefined : `${name}${formatOf(type).fileSuffix}`;
}

/** Definitions in subfolders; a subfolder with a manifest is another playbook. */
function below(folder: string): string[] {
  return foldersOf(folder).flatMap((name) => {
    const files = namesIn(path.join(folder, name));
    if (files.includes(MANIFEST)) return [];
    return files
      .filter((file) => typeOfFile(file) !== undefined)
      .toSorted()
      .map((file) => `${name}/${file} is ignored; put definitions directly in the folder of the playbook.`);
  });
}

function foldersOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map(({ name }) => name)
    .toSorted()
    .slice(0, MOST_FOLDERS);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
