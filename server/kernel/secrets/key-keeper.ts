// Where the data keys are stored: in a variable of the operator, in a file that only its owner may read, or in the
// system's key store, which wraps the contents of that file. If both files exist, the open one is used:
// moving the key from one to the other was interrupted or is in progress.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { type DataKey, dataKeyOf, KEY_BYTES, KEY_FORM, readDataKeys } from './data-key.ts';
import { readPrivate, writePrivate } from './private-file.ts';

/** The stored keys: the first key seals, the others open older values. Empty if no key was created yet. */
export type DataKeysResult = { ok: true; keys: readonly DataKey[] } | { ok: false; detail: string };

export interface KeyKeeper {
  /** What is kept now; `detail` says who holds the key, or why it cannot be read. */
  keys(): Promise<DataKeysResult>;
  /** Makes a key that seals from now on; those that were kept still open. @throws KeyNotMade */
  make(): Promise<DataKey>;
  /** Keeps the key that seals, and no other. */
  dropOthers(): Promise<void>;
}

/** No key can be created; the message is a sentence for the operator. */
export class KeyNotMade extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'KeyNotMade';
  }
}

export const KEY_FILE = 'secrets.key';
export const WRAPPED_FILE = 'secrets.key.wrapped';

/**
 * @param given the keys that the operator sets; if empty, they are in the data directory
 * @param wrapper opens the wrapped key; undefined where no desktop app started this process
 */
export function createKeyKeeper(given: readonly DataKey[], dataDir: string, wrapper?: KeyWrapper): KeyKeeper {
  return given.length > 0 ? givenKeys(given) : fileOfKeys(dataDir, wrapper);
}

/** Keeps no key, for what uses no secret: whatever does is refused with `detail`. */
export function createKeylessKeeper(detail: string): KeyKeeper {
  return {
    keys: async () => ({ ok: false, detail }),
    make: async () => {
      throw new KeyNotMade(detail);
    },
    dropOthers: async () => undefined,
  };
}

function givenKeys(keys: readonly DataKey[]): KeyKeeper {
  return {
    keys: async () => ({ ok: true, keys }),
    make: async () => {
      throw new KeyNotMade(
        'The data key is set by SECRETS_KEY: put a new key before the current key, separated by a comma, and rotate again.',
      );
    },
    dropOthers: async () => undefined,
  };
}

function fileOfKeys(dataDir: string, wrapper: KeyWrapper | undefined): KeyKeeper {
  const file = path.join(dataDir, KEY_FILE);
  const openWrapped = wrappedKeys(path.join(dataDir, WRAPPED_FILE), wrapper);

  return {
    async keys() {
      const read = readPrivate(file);
      if (read === undefined) return openWrapped();
      return read.ok ? keysIn(read.text, KEY_FILE) : refused(`${KEY_FILE} ${read.says}`);
    },
    async make() {
      const kept = readPrivate(file);
      if (kept === undefined && readPrivate(path.join(dataDir, WRAPPED_FILE)) !== undefined) {
        throw new KeyNotMade(
          "The system's key store contains the data key: in the desktop app, move the key back to its file, then rotate.",
        );
      }
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

/** The keys of the wrapped file, which the system is asked for once; a refusal is forgotten, so that it is asked again. */
function wrappedKeys(file: string, wrapper: KeyWrapper | undefined): () => Promise<DataKeysResult> {
  let known: { wrapped: string; opening: Promise<DataKeysResult> } | undefined;

  async function open(wrapped: string, by: KeyWrapper): Promise<DataKeysResult> {
    try {
      const { text, isStale } = await by.unwrap(wrapped);
      const keys = keysIn(text, WRAPPED_FILE);
      if (isStale && keys.ok) await wrapAnew(text, by);
      return keys;
    } catch (error) {
      known = undefined;
      return refused(`the system's key store does not return it to the desktop app. ${sentenceOf(error)}`);
    }
  }

  /** What was wrapped before still opens: that it stays is no failure. */
  async function wrapAnew(text: string, by: KeyWrapper): Promise<void> {
    try {
      const wrapped = await by.wrap(text);
      if ((await by.unwrap(wrapped)).text !== text) return;
      writePrivate(file, wrapped);
      if (known !== undefined) known.wrapped = wrapped;
    } catch {}
  }

  return async () => {
    const read = readPrivate(file);
    if (read === undefined) return { ok: true, keys: [] };
    if (wrapper === undefined) return { ok: false, detail: HELD_BY_APP };
    if (!read.ok) return refused(`${WRAPPED_FILE} ${read.says}`);
    if (known?.wrapped !== read.text) known = { wrapped: read.text, opening: open(read.text, wrapper) };
    return known.opening;
  };
}

const HELD_BY_APP =
  'The desktop app has the key of the secret store: stop this server and start it from the app, or move the key back to its file in the app.';

function keysIn(text: string, name: string): DataKeysResult {
  const keys = readDataKeys(text);
  return keys === undefined ? refused(`${name} is not ${KEY_FORM}`) : { ok: true, keys };
}

function refused(why: string): DataKeysResult {
  return { ok: false, detail: `The key of the secret store cannot be used: ${why.replace(/\.$/, '')}.` };
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}

/** What wraps a text under a key that the system keeps for one program and one user. Refusals are sentences. */
export interface KeyWrapper {
  /** Answers base64. */
  wrap(text: string): Promise<string>;
  /** `isStale`: it opens, and should be wrapped anew. */
  unwrap(wrapped: string): Promise<{ text: string; isStale: boolean }>;
}
