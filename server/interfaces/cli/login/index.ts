// `cuebook login` and `cuebook logout`: tokens of a person for a published server.
import { readDataDir } from '../../../settings/index.ts';
import { originOf } from '../attach.ts';
import { CommandFailure, failed } from '../failure.ts';
import { show } from '../output.ts';
import { onStopRequest } from '../stop-request.ts';
import { authorize } from './authorize.ts';
import { authorizeDevice } from './authorize-device.ts';
import { readSignIn, reasonOf, tokensOf } from './identity-service.ts';
import { lockLogins, readLogin } from './logins.ts';
import { revoke } from './revoke.ts';

interface LogoutOptions {
  server: string;
  dataDir?: string | undefined;
  json?: boolean | undefined;
}

interface LoginOptions extends LogoutOptions {
  clientId?: string | undefined;
  /** Sign in in a browser on this machine, even if the identity service offers the device flow. */
  browser?: boolean | undefined;
}

export async function login({ clientId: named, browser = false, ...options }: LoginOptions): Promise<void> {
  const server = originOf(options.server);
  const signIn = await readSignIn(server);
  const { issuer, device_authorization_endpoint: forDevices } = signIn.service;
  const cancelled = new AbortController();
  onStopRequest(() => cancelled.abort());
  const signingIn = browser || forDevices === undefined ? authorize : authorizeDevice;
  const { clientId, tokens } = await signingIn(signIn, named, cancelled.signal).catch((error: unknown) => {
    if (error instanceof CommandFailure) throw error;
    const words = cancelled.signal.aborted
      ? 'The sign-in was cancelled.'
      : `The sign-in at ${issuer} failed: ${reasonOf(error)}.`;
    throw failed(words);
  });
  const { resource } = signIn;
  await lockLogins(readDataDir(process.env, options), (write) =>
    write(server, { issuer, resource, clientId, ...tokensOf(tokens) }),
  );
  show(options, { server, issuer }, () => `Signed in to ${server}.`);
}

/** Removes the tokens here, then revokes the refresh token. The access token stays valid until it expires. */
export async function logout(options: LogoutOptions): Promise<void> {
  const server = originOf(options.server);
  const dataDir = readDataDir(process.env, options);
  const removed = await lockLogins(dataDir, (write) => {
    const login = readLogin(dataDir, server);
    write(server, undefined);
    return login;
  });
  const revocation = removed === undefined ? undefined : await revoke(removed);
  show(options, { server, revoked: revocation?.isRevoked ?? false }, () =>
    revocation === undefined ? `There was no login for ${server}.` : `Signed out of ${server}. ${revocation.words}`,
  );
}
