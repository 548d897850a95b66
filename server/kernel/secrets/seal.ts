// A value sealed with AES-256-GCM (NIST SP 800-38D) under a data key, bound to its place: what is sealed for one place
// does not open in another.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { DataKey } from './data-key.ts';

/** Where a sealed value belongs. */
export interface SecretPlace {
  org: string;
  /** What it belongs to, for example `connection/ID`. */
  owner: string;
}

/** What is bound to the value beside its place, readable by all: what may be shown of it. */
export type Shown = string | null;

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function seal({ id, key }: DataKey, place: SecretPlace, shown: Shown, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(bound(id, place, shown));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
}

/** Undefined where the seal does not open: another key, another place, or a changed value. */
export function unseal({ id, key }: DataKey, place: SecretPlace, shown: Shown, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(bound(id, place, shown));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function bound(keyId: string, { org, owner }: SecretPlace, shown: Shown): Buffer {
  return Buffer.from(JSON.stringify(['sealed value', 1, keyId, org, owner, shown]));
}

const SHOWN = 4;
const LEAST_SHOWN_OF = 12;

/** What may be shown of a secret: its last four characters, where it has at least twelve. */
export function shownEnd(text: string): string | null {
  const characters = Array.from(text);
  return characters.length < LEAST_SHOWN_OF ? null : characters.slice(-SHOWN).join('');
}
