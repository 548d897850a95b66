// Who makes a request: reads the credential that it presents, and verifies it. Handlers ask the caller what it may do,
// and know nothing of credentials.
import { KEY_PREFIX } from '../../../shared/permissions.ts';
import { Refused } from '../../lib/rejection.ts';
import { type Caller, DEVELOPER } from '../../operations/index.ts';
import type { Settings } from '../../settings/index.ts';
import { callerWithKey, findKey } from './keys.ts';

export { createKey } from './keys.ts';
export { accessOperations } from './operations.ts';

export interface Access {
  mode: Settings['mode'];
  /**
   * The caller of a request.
   * @param authorization the header, of the form `Bearer <credential>`, or undefined
   * @throws Refused `unauthenticated`
   */
  identify: (authorization: string | undefined) => Caller;
}

export function createAccess({ mode, apiKeys }: Pick<Settings, 'mode' | 'apiKeys'>): Access {
  return {
    mode,
    identify(authorization) {
      if (mode === 'local') return DEVELOPER;
      if (authorization === undefined) {
        throw unauthenticated('Send `Authorization: Bearer` with an API key of this server.');
      }
      const credential = authorization.slice('Bearer '.length);
      if (!credential.startsWith(KEY_PREFIX)) {
        throw unauthenticated('This server accepts only API keys, which begin with `abk_`.');
      }
      const key = findKey(apiKeys(), credential);
      if (key === undefined) throw unauthenticated('The API key is unknown or was revoked.');
      return callerWithKey(key);
    },
  };
}

function unauthenticated(detail: string): Refused {
  return new Refused({ reason: 'unauthenticated', detail });
}
