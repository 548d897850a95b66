// Paths in the file system: whether one exists, and creating folders.
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { cutText } from '../../lib/cut-text.ts';
import { codeOf, CommandFailure, EXIT } from './failure.ts';

const MOST_SHOWN = 200;

/** @throws CommandFailure where the system cannot say, as for a link to itself */
export function exists(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw wrong(`${cutText(file, MOST_SHOWN)} cannot be reached (${codeOf(error)}).`);
  }
}

/**
 * Creates a folder and its parents, one by one: with `recursive`, Node never returns where the system refuses every
 * new folder, as under /proc.
 * @param called what the folder is, as the beginning of a sentence
 * @param mode of the folders that are created
 * @throws CommandFailure
 */
export function makeFolder(folder: string, called: string, mode?: number): void {
  const lacking: string[] = [];
  let above = path.resolve(folder);
  while (!isFolder(above, folder, called)) {
    lacking.unshift(above);
    above = path.dirname(above);
  }
  for (const one of lacking) {
    try {
      mkdirSync(one, mode === undefined ? {} : { mode });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw wrong(`${called}, ${folder}, cannot be created (${codeOf(error)}).`);
    }
  }
}

function isFolder(place: string, folder: string, called: string): boolean {
  try {
    if (statSync(place).isDirectory()) return true;
  } catch (error) {
    const code = codeOf(error);
    if ((code === 'ENOENT' || code === 'ENOTDIR') && path.dirname(place) !== place) return false;
    throw wrong(`${called}, ${folder}, cannot be reached (${code}).`);
  }
  throw wrong(
    place === path.resolve(folder)
      ? `${called}, ${folder}, is a file; name a folder.`
      : `${called}, ${folder}, cannot be created: ${place} is a file.`,
  );
}

function wrong(sentence: string): CommandFailure {
  return new CommandFailure(sentence, EXIT.misused);
}
