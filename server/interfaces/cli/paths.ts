// Paths in the file system: whether one exists, and creating folders.
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { cutText } from '../../lib/cut-text.ts';
import { codeOf, misused } from './failure.ts';

const MOST_SHOWN = 200;

/** @throws CommandFailure if the system cannot resolve it, as for a link to itself */
export function exists(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw misused(`${cutText(file, MOST_SHOWN)} cannot be reached (${codeOf(error)}).`);
  }
}

/**
 * Creates a folder and its parents, one by one: with `recursive`, Node never returns if the system refuses every
 * new folder, as under /proc.
 * @param label what the folder is, as the beginning of a sentence
 * @param mode of the folders that are created
 * @throws CommandFailure
 */
export function makeFolder(folder: string, label: string, mode?: number): void {
  const missing: string[] = [];
  let ancestor = path.resolve(folder);
  while (!isFolder(ancestor, folder, label)) {
    missing.unshift(ancestor);
    ancestor = path.dirname(ancestor);
  }
  for (const directory of missing) {
    try {
      mkdirSync(directory, mode === undefined ? {} : { mode });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw misused(`${label}, ${folder}, cannot be created (${codeOf(error)}).`);
    }
  }
}

function isFolder(parent: string, folder: string, label: string): boolean {
  try {
    if (statSync(parent).isDirectory()) return true;
  } catch (error) {
    const code = codeOf(error);
    if ((code === 'ENOENT' || code === 'ENOTDIR') && path.dirname(parent) !== parent) return false;
    throw misused(`${label}, ${folder}, cannot be reached (${code}).`);
  }
  throw misused(
    parent === path.resolve(folder)
      ? `${label}, ${folder}, is a file; name a folder.`
      : `${label}, ${folder}, cannot be created: ${parent} is a file.`,
  );
}
