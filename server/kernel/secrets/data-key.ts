import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** A key of the secret store. Its bytes stand in a key object of the crypto library, outside of the program's heap. */
export interface DataKey {
  /** Tells keys apart without saying anything of them. */
  id: string;
  key: KeyObject;
}

export const KEY_BYTES = 32;
export const KEY_FORM = 'base64 of 32 bytes, such as `openssl rand -base64 32` prints';

export function dataKeyOf(bytes: Uint8Array): DataKey {
  const key = createSecretKey(bytes);
  return { id: createHmac('sha256', key).update('data key id').digest('hex').slice(0, 16), key };
}

/**
 * The keys of a text: the first one seals, the others open what was sealed before it. They are separated by commas or
 * white space. Undefined where the text holds anything else, or none.
 */
export function readDataKeys(text: string): readonly [DataKey, ...DataKey[]] | undefined {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const keys = parts.map((part) => {
    const bytes = Buffer.from(part, 'base64');
    const isWhole = bytes.length === KEY_BYTES && bytes.toString('base64').replace(/=+$/, '') === standard(part);
    return isWhole ? dataKeyOf(bytes) : undefined;
  });
  const [first, ...others] = keys;
  if (first === undefined) return undefined;
  const known = others.filter((key) => key !== undefined);
  return known.length === others.length ? [first, ...known] : undefined;
}

function standard(part: string): string {
  return part.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
}
