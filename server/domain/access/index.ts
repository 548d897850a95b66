// Who makes a request: reads the credential that it presents, and verifies it. Handlers ask the caller what it may do,
// and know nothing of credentials.
import { isDeepStrictEqual } from 'node:util';
import { KEY_PREFIX } from '../../../shared/permissions.ts';
import type { Clock } from '../../lib/clock.ts';
import { createHttpClient } from '../../lib/http-client/index.ts';
import { Refused } from '../../lib/rejection.ts';
import { type Caller, DEVELOPER } from '../../operations/index.ts';
import type { Settings } from '../../settings/index.ts';
import { callerWithKey, findKey } from './keys.ts';
import type { IdentityService } from './identity-service.ts';
import type { Presented } from './tokens.ts';

export type { IdentityService } from './identity-service.ts';
export { createKey } from './keys.ts';
export { accessOperations } from './operations.ts';
export { createRateLimits, limiting, type RateLimits } from './rate-limits.ts';

export interface AccessOptions {
  settings: Pick<Settings, 'mode' | 'apiKeys' | 'publicUrl' | 'identityIssuer'>;
  /** Whether people may use sessions on pages of an origin. */
  isAllowedOrigin: (origin: string) => boolean;
  clock: Clock;
}

/** What a request presents. */
export interface Credential extends Pick<Presented, 'origin' | 'endpoint'> {
  /** The Authorization header, of the form `Bearer <credential>`. */
  authorization: string | undefined;
}

export interface Access {
  mode: Settings['mode'];
  /** The origin of a server where people sign in, and who signs them in. */
  signIn: { publicUrl: string; issuer: string } | undefined;
  /** Reads the identity service, if people sign in. @throws UnusableIdentityServiceError */
  load: () => Promise<IdentityService | undefined>;
  /** The caller of a request. @throws Refused `unauthenticated` */
  identify: (credential: Credential) => Caller | Promise<Caller>;
  close: () => void;
}

export function createAccess({ settings, isAllowedOrigin, clock }: AccessOptions): Access {
  const { mode, apiKeys, publicUrl, identityIssuer: issuer } = settings;
  const signIn = issuer === undefined || publicUrl === undefined ? undefined : { publicUrl, issuer };
  const http = createHttpClient({ clock });
  let verify: ((presented: Presented) => Promise<Caller>) | undefined;

  const accepted = signIn === undefined ? 'an API key of this server' : 'an API key or an access token for this server';
  return {
    mode,
    signIn,
    async load() {
      if (signIn === undefined) return undefined;
      // Loaded only where people sign in.
      const [{ readIdentityService }, { createTokenVerifier }] = await Promise.all([
        import('./identity-service.ts'),
        import('./tokens.ts'),
      ]);
      const service = await readIdentityService(signIn.issuer, http);
      verify = createTokenVerifier({ service, http, clock, publicUrl: signIn.publicUrl, isAllowedOrigin });
      return service;
    },
    identify({ authorization, ...presented }) {
      if (mode === 'local') return DEVELOPER;
      if (authorization === undefined) throw unauthenticated(`Send \`Authorization: Bearer\` with ${accepted}.`);
      const credential = authorization.slice('Bearer '.length);
      if (!credential.startsWith(KEY_PREFIX)) {
        if (verify !== undefined) return verify({ ...presented, token: credential });
        throw unauthenticated('This server accepts only API keys, which begin with `abk_`.');
      }
      const key = findKey(apiKeys(), credential);
      if (key === undefined) throw unauthenticated('The API key is unknown or was revoked.');
      return callerWithKey(key, () => !apiKeys().some((now) => isDeepStrictEqual(now, key)));
    },
    close: () => http.close(),
  };
}

function unauthenticated(detail: string): Refused {
  return new Refused({ reason: 'unauthenticated', detail });
}
