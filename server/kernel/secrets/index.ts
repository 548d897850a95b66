// The secret store: values in the database, sealed under a data key that is not in it.
//
// 1. A value is bound to its place and to what may be shown of it; moved or changed, it does not open.
// 2. A key is created only while nothing is sealed: a lost key is never replaced silently.
// 3. A missing key and a seal that does not open are different results: the key may come back.
// 4. Rotation loses nothing whenever it is cut off: the new key is kept beside the old one first, then all values are
//    sealed anew in one transaction, and only then the old key goes.
import { unavailable } from '../../lib/rejection.ts';
import type { ReadTransaction, Store, WriteTransaction } from '../log/index.ts';
import type { DataKey } from './data-key.ts';
import type { KeyKeeper } from './key-keeper.ts';
import { seal, type SecretPlace, type Shown, unseal } from './seal.ts';
import { deleteSealed, isAnythingSealed, putSealed, selectAllSealed, selectKeyIds, selectSealed } from './sql.ts';

export { type DataKey, KEY_FORM, readDataKeys } from './data-key.ts';
export { createKeyKeeper, createKeylessKeeper, type KeyKeeper, KeyNotMade, type KeyWrapper } from './key-keeper.ts';
export { createKeyHome, type KeyHome, KeyNotMoved } from './key-home.ts';
export { listSecretOwners, secretMigrations } from './sql.ts';
export { type SecretPlace, shownEnd } from './seal.ts';

export type OpenedSecret =
  | { ok: true; text: string }
  /** `no_key`: it may be read once the key is there. `unreadable`: it never will be. */
  | { ok: false; because: 'no_key' | 'unreadable'; detail: string };

/** Nothing can be sealed now, in a sentence that says who holds the key. */
export class NoDataKey extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'NoDataKey';
  }
}

export interface SecretStore {
  /** The key that seals; made at the first need. @throws NoDataKey */
  sealingKey(): Promise<DataKey>;
  /** Seals a value in a work of the caller's, in place of one that is there. */
  put(tx: WriteTransaction, key: DataKey, place: SecretPlace, value: { text: string; shown: Shown }): Promise<void>;
  open(place: SecretPlace): Promise<OpenedSecret>;
  /** Whether there is a value, be it one that opens or not. */
  isKept(tx: ReadTransaction, place: SecretPlace): Promise<boolean>;
  /** What may be shown of the value; null where there is none. */
  shown(tx: ReadTransaction, place: SecretPlace): Promise<Shown>;
  forget(tx: WriteTransaction, place: SecretPlace): Promise<void>;
  /** Whether there is a value that was sealed under none of the keys. */
  lacksKey(): Promise<boolean>;
  /** Seals every value under a new key. Values that do not open stay as they are. @throws NoDataKey, KeyNotMade */
  rotate(): Promise<{ sealed: number; unreadable: number }>;
}

/** The key that seals, for a change that is refused without it. @throws Refused `unavailable` */
export async function requireSealingKey(secrets: Pick<SecretStore, 'sealingKey'>): Promise<DataKey> {
  try {
    return await secrets.sealingKey();
  } catch (error) {
    throw error instanceof NoDataKey
      ? unavailable(`The secret store cannot encrypt anything now, so nothing was changed. ${error.message}`)
      : error;
  }
}

export function createSecretStore(store: Pick<Store, 'read' | 'write'>, keeper: KeyKeeper): SecretStore {
  async function keptKeys(): Promise<readonly DataKey[]> {
    const kept = await keeper.keys();
    if (!kept.ok) throw new NoDataKey(kept.detail);
    return kept.keys;
  }

  async function sealingKey(): Promise<DataKey> {
    const [first] = await keptKeys();
    if (first !== undefined) return first;
    if (await store.read(isAnythingSealed)) throw new NoDataKey(LOST);
    return keeper.make();
  }

  return {
    sealingKey,
    async put(tx, key, place, { text, shown }) {
      await putSealed(tx, { ...place, key_id: key.id, shown, sealed: seal(key, place, shown, text) });
    },
    async open(place) {
      const row = await store.read((tx) => selectSealed(tx, place));
      if (row === undefined)
        return { ok: false, because: 'unreadable', detail: 'Its value is not in the secret store.' };
      const kept = await keeper.keys();
      if (!kept.ok) return { ok: false, because: 'no_key', detail: kept.detail };
      const key = kept.keys.find(({ id }) => id === row.key_id);
      if (key === undefined) return { ok: false, because: 'no_key', detail: LOST };
      const text = unseal(key, place, row.shown, row.sealed);
      return text === undefined ? { ok: false, because: 'unreadable', detail: UNREADABLE } : { ok: true, text };
    },
    async isKept(tx, place) {
      return (await selectSealed(tx, place)) !== undefined;
    },
    async shown(tx, place) {
      return (await selectSealed(tx, place))?.shown ?? null;
    },
    forget: deleteSealed,
    async lacksKey() {
      const kept = await keeper.keys();
      if (!kept.ok) return false;
      const known = new Set(kept.keys.map(({ id }) => id));
      return (await store.read(selectKeyIds)).some((id) => !known.has(id));
    },
    async rotate() {
      const present = await keptKeys();
      const first = present[0] ?? (await sealingKey());
      // Several keys: a rotation that was cut off, or that the operator has begun, is brought to its end.
      const next = present.length > 1 ? first : await keeper.make();
      const keys = new Map([...present, next].map((key) => [key.id, key]));
      const done = await store.write('no playbook', async (tx) => {
        const count = { sealed: 0, unreadable: 0 };
        for (const row of await selectAllSealed(tx)) {
          const key = keys.get(row.key_id);
          const text = key === undefined ? undefined : unseal(key, row, row.shown, row.sealed);
          if (text === undefined) count.unreadable += 1;
          else {
            await putSealed(tx, { ...row, key_id: next.id, sealed: seal(next, row, row.shown, text) });
            count.sealed += 1;
          }
        }
        return count;
      });
      // What did not open now never will under them.
      await keeper.dropOthers();
      return done;
    },
  };
}

const LOST =
  'The secret store was encrypted with a data key that is missing: restore the file secrets.key in the data directory, or set the previous SECRETS_KEY.';
const UNREADABLE = 'Its value in the secret store cannot be opened: it was changed or belongs to something else.';
