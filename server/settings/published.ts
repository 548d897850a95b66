// What makes a server published: others than the person at this machine may call it, each with a credential.
import type { ApiKey } from './api-keys.ts';
import { type Environment, environmentVariable } from './environment.ts';
import type { Mode } from './playbook-filter.ts';
import { SettingsError } from './settings-error.ts';
import { isLoopback } from './variables.ts';

/** Whether a variable asks for a published server. */
export function isPublished(environment: Environment): boolean {
  return (
    environmentVariable(environment, 'API_KEYS') !== undefined ||
    environmentVariable(environment, 'PUBLIC_URL') !== undefined ||
    environmentVariable(environment, 'IDENTITY_ISSUER') !== undefined
  );
}

/**
 * The origin under which clients reach the server, without a final slash.
 * @throws SettingsError also if nobody could present a credential
 */
export function readPublicUrl(
  text: string | undefined,
  mode: Mode,
  { keys, issuer }: { keys: readonly ApiKey[]; issuer: string | undefined },
): string | undefined {
  if (mode === 'local') return undefined;
  if (keys.length === 0 && issuer === undefined) {
    throw new SettingsError(
      'A published server without API keys and sign-in could be called by nobody. Create a key with `cuebook keys create` and set API_KEYS, or set IDENTITY_ISSUER; for local mode, unset PUBLIC_URL and API_KEYS.',
    );
  }
  if (text === undefined) {
    if (issuer === undefined) return undefined;
    throw new SettingsError(
      'IDENTITY_ISSUER is set without PUBLIC_URL, the address that tokens for this server name; set it too.',
    );
  }
  const url = URL.parse(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url !== null && isSafe && [url.origin, `${url.origin}/`].includes(text)) return url.origin;
  // There may be a password in it.
  throw new SettingsError(
    'PUBLIC_URL is not the address of a published server; it must have the form https://cuebook.example.com, without a path. Plain http is permitted only for a loopback address.',
  );
}

/** How people sign in to the studio at the identity service, in addition to API keys. */
export interface StudioSignIn {
  /** The studio as the identity service knows it: an OpenID Connect client without a secret. */
  clientId: string | undefined;
  /** The address of an ES module with `signIn()`, `signOut()` and `token()`. */
  sessionModule: string | undefined;
}

/** @throws SettingsError also if there is no identity service */
export function readStudioSignIn(environment: Environment, issuer: string | undefined): StudioSignIn {
  const clientId = environmentVariable(environment, 'STUDIO_CLIENT_ID');
  const sessionModule = environmentVariable(environment, 'STUDIO_SESSION_MODULE');
  if (issuer === undefined && (clientId ?? sessionModule) !== undefined) {
    const name = clientId === undefined ? 'STUDIO_SESSION_MODULE' : 'STUDIO_CLIENT_ID';
    throw new SettingsError(
      `${name} is set without IDENTITY_ISSUER, the identity service that signs people in; set it too.`,
    );
  }
  if (sessionModule === undefined || isModuleAddress(sessionModule)) return { clientId, sessionModule };
  throw new SettingsError(
    'STUDIO_SESSION_MODULE is not the address of an ES module; it must have the form https://id.example.com/session.js.',
  );
}

function isModuleAddress(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
}

/** The service that signs people in, exactly as it is written: tokens and metadata must name it so. @throws SettingsError */
export function readIssuer(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (url?.protocol === 'https:' && isPlain) return text;
  throw new SettingsError(
    'IDENTITY_ISSUER is not the address of an identity service; it must have the form https://id.example.com, without a query.',
  );
}
