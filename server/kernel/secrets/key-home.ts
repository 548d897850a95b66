// Moves the data key between its file and the system's own store.
//
// 1. The new place is on the disk and was read back before the old one goes: wherever this is cut off, the key is there.
// 2. While both are there the file counts, so that what was cut off is as if it had not begun.
import path from 'node:path';
import type { KeyPlace } from '../../../shared/desktop.ts';
import { type DataKey, readDataKeys } from './data-key.ts';
import { KEY_FILE, type KeyKeeper, type KeyWrapper, WRAPPED_FILE } from './key-keeper.ts';
import { readPrivate, removePrivate, writePrivate } from './private-file.ts';

export interface KeyHome {
  place(): KeyPlace;
  /** Makes the key where there is none yet. @throws KeyNotMoved, NoDataKey */
  keepInSystem(): Promise<KeyPlace>;
  /** @throws KeyNotMoved */
  keepInFile(): Promise<KeyPlace>;
}

/** The key is where it was, in a sentence for the person who asked. */
export class KeyNotMoved extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'KeyNotMoved';
  }
}

export interface KeyHomeOptions {
  given: readonly DataKey[];
  dataDir: string;
  keeper: KeyKeeper;
  secrets: { sealingKey(): Promise<DataKey> };
  wrapper: KeyWrapper | undefined;
}

export function createKeyHome({ given, dataDir, keeper, secrets, wrapper }: KeyHomeOptions): KeyHome {
  const file = path.join(dataDir, KEY_FILE);
  const wrappedFile = path.join(dataDir, WRAPPED_FILE);

  function place(): KeyPlace {
    if (given.length > 0) return 'given';
    if (readPrivate(file) !== undefined) return 'file';
    return readPrivate(wrappedFile) === undefined ? 'nowhere' : 'system';
  }

  /** @throws KeyNotMoved */
  function movable(): KeyWrapper {
    if (given.length > 0)
      throw new KeyNotMoved('The data key is set by SECRETS_KEY; unset it to store the key elsewhere.');
    if (wrapper === undefined)
      throw new KeyNotMoved('Only the desktop app can move the key, and it did not start this server.');
    return wrapper;
  }

  return {
    place,
    async keepInSystem() {
      const system = movable();
      if (place() === 'system') return 'system';
      await secrets.sealingKey();
      const text = textOf(file, KEY_FILE);
      writePrivate(wrappedFile, await system.wrap(text));
      const opened = await openedBy(system, textOf(wrappedFile, WRAPPED_FILE));
      if (opened !== text) {
        removePrivate(wrappedFile);
        throw new KeyNotMoved(
          "The system's key store did not return the key that was stored in it; the key stays in its file.",
        );
      }
      removePrivate(file);
      return place();
    },
    async keepInFile() {
      const system = movable();
      if (place() === 'system') {
        const { text } = await system.unwrap(textOf(wrappedFile, WRAPPED_FILE));
        if (readDataKeys(text) === undefined)
          throw new KeyNotMoved("The system's key store did not return a valid key.");
        writePrivate(file, text);
      }
      const kept = await keeper.keys();
      if (!kept.ok) throw new KeyNotMoved(kept.detail);
      if (place() === 'file') removePrivate(wrappedFile);
      return place();
    },
  };
}

async function openedBy(system: KeyWrapper, wrapped: string): Promise<string | undefined> {
  try {
    return (await system.unwrap(wrapped)).text;
  } catch {
    return undefined;
  }
}

/** @throws KeyNotMoved */
function textOf(file: string, name: string): string {
  const read = readPrivate(file);
  if (read?.ok === true) return read.text;
  throw new KeyNotMoved(`The key was not moved: ${name} ${read === undefined ? 'is not there' : read.says}.`);
}
