// Who keeps the data keys: whoever starts the server gives them, or a file that its owner alone may read does. A desktop
// app that wraps the key with the system's own store is one more keeper.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { type DataKey, dataKeyOf, KEY_BYTES, KEY_FORM, readDataKeys } from './data-key.ts';

/** The keys that are there: the first one seals, the others open what was sealed before it. None: nobody made one yet. */
export type Keys = { ok: true; keys: readonly DataKey[] } | { ok: false; detail: string };

export interface KeyKeeper {
  /** What is kept now; `detail` says who holds the key, or why it cannot be read. */
  keys(): Promise<Keys>;
  /** Makes a key that seals from now on; those that were kept still open. @throws KeyNotMade */
  make(): Promise<DataKey>;
  /** Keeps the key that seals, and no other. */
  dropOthers(): Promise<void>;
}

/** A keeper makes no key of its own, in a sentence for the operator. */
export class KeyNotMade extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'KeyNotMade';
  }
}

const FILE = 'secrets.key';
const WRAPPED = 'secrets.key.wrapped';

/** @param given the keys that the operator gives; none: they stand in the data directory */
export function createKeyKeeper(given: readonly DataKey[], dataDir: string): KeyKeeper {
  return given.length > 0 ? givenKeys(given) : fileOfKeys(dataDir);
}

function givenKeys(keys: readonly DataKey[]): KeyKeeper {
  return {
    keys: async () => ({ ok: true, keys }),
    make: async () => {
      throw new KeyNotMade(
        'The data key is given by SECRETS_KEY: put a new key in front of the present one, separated by a comma, and rotate again.',
      );
    },
    dropOthers: async () => undefined,
  };
}

function fileOfKeys(dataDir: string): KeyKeeper {
  const file = path.join(dataDir, FILE);

  async function keys(): Promise<Keys> {
    const read = readPrivate(file);
    if (read === undefined) {
      const isWrapped = statSync(path.join(dataDir, WRAPPED), { throwIfNoEntry: false }) !== undefined;
      if (!isWrapped) return { ok: true, keys: [] };
      return { ok: false, detail: 'The desktop app holds the key of the secret store: start the server from it.' };
    }
    if (!read.ok) return { ok: false, detail: `The key of the secret store cannot be used: ${FILE} ${read.says}.` };
    const found = readDataKeys(read.text);
    if (found !== undefined) return { ok: true, keys: found };
    return { ok: false, detail: `The key of the secret store cannot be used: ${FILE} does not hold ${KEY_FORM}.` };
  }

  return {
    keys,
    async make() {
      const kept = readPrivate(file);
      const bytes = randomBytes(KEY_BYTES);
      const earlier = kept?.ok === true ? kept.text : '';
      writePrivate(file, `${bytes.toString('base64')}\n${earlier}`);
      return dataKeyOf(bytes);
    },
    async dropOthers() {
      const kept = readPrivate(file);
      if (kept?.ok !== true) return;
      const [first = ''] = kept.text.split(/[\s,]+/);
      writePrivate(file, `${first}\n`);
    },
  };
}

/** Undefined where there is no such file. */
function readPrivate(file: string): { ok: true; text: string } | { ok: false; says: string } | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const { mode, uid } = fstatSync(descriptor);
    const isPosix = process.platform !== 'win32';
    if (isPosix && (mode & 0o077) !== 0) return { ok: false, says: 'may be used by others; it takes mode 0600' };
    if (isPosix && uid !== process.getuid?.()) return { ok: false, says: 'belongs to another user' };
    return { ok: true, text: readFileSync(descriptor, 'utf8') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT') return undefined;
    return { ok: false, says: `cannot be read (${code})` };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The whole file is there, or the one before it is: it is on the disk before it takes the name. */
function writePrivate(file: string, text: string): void {
  const unfinished = `${file}.new`;
  rmSync(unfinished, { force: true });
  const descriptor = openSync(unfinished, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, file);
  syncFolder(path.dirname(file));
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
