import path from 'node:path';
import {
  type Manifest,
  MANIFEST,
  MANIFEST_BYTES,
  readManifest,
  WrongManifest,
} from '../../lib/playbook-files/index.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { readTextFile } from './text-file.ts';

/** The manifest of the folder; undefined if there is none. @throws CommandFailure that names the file */
export function readManifestOf(folder: string): Manifest | undefined {
  const file = path.join(folder, MANIFEST);
  const text = readTextFile(file, MANIFEST_BYTES, 'it contains only the id, name and description of the playbook');
  if (text === undefined) return undefined;
  try {
    return readManifest(file, text);
  } catch (error) {
    if (!(error instanceof WrongManifest)) throw error;
    throw new CommandFailure(error.message, EXIT.misused);
  }
}
