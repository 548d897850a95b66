// API keys: `abk_`, 8 characters that identify the key to people, `_`, and 43 characters of secret (256 bits). Servers
// are configured with the SHA-256 digest of the whole, which is sufficient for a secret that cannot be guessed.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { KEY_PREFIX, type Permission } from '../../../shared/permissions.ts';
import type { Caller } from '../../operations/index.ts';
import type { ApiKey } from '../../settings/index.ts';

/** A new key, and its digest in hexadecimal digits. */
export function createKey(): { key: string; sha256: string } {
  const key = `${KEY_PREFIX}${randomBytes(6).toString('base64url')}_${randomBytes(32).toString('base64url')}`;
  return { key, sha256: digestOf(key).toString('hex') };
}

/** The configured key that was presented. Takes the same time whichever it is, and for none. */
export function findKey(keys: readonly ApiKey[], presented: string): ApiKey | undefined {
  const digest = digestOf(presented);
  let found: ApiKey | undefined;
  for (const key of keys) if (timingSafeEqual(key.digest, digest)) found = key;
  return found;
}

/** A key is valid in its own org only, and only in its playbooks if it is limited to some. */
export function callerWithKey({ name, org: own, permissions, playbooks }: ApiKey, isRevoked: () => boolean): Caller {
  const may = (permission: Permission, org: string, playbook?: string): boolean =>
    org === own &&
    permissions.includes(permission) &&
    (playbook === undefined || playbooks === undefined || playbooks.includes(playbook));
  return { id: `key:${name}`, form: 'key', org: own, may, isRevoked };
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
