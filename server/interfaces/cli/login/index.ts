// `cuebook login` and `cuebook logout`: tokens of a person for a published server.
import { readDataDir } from '../../../settings/index.ts';
import { originOf } from '../attach.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { show } from '../output.ts';
import { authorize } from './authorize.ts';
import { readSignIn, reasonOf, tokensOf } from './identity-service.ts';
import { hasLogin, writeLogin } from './logins.ts';

interface LoginOptions {
  server: string;
  clientId?: string | undefined;
  dataDir?: string | undefined;
  json?: boolean | undefined;
}

export async function login({ clientId: named, ...options }: LoginOptions): Promise<void> {
  const server = originOf(options.server);
  const signIn = await readSignIn(server);
  const { issuer } = signIn.service;
  const { clientId, tokens } = await authorize(signIn, named).catch((error: unknown) => {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(`The sign-in at ${issuer} failed: ${reasonOf(error)}.`, EXIT.failed);
  });
  const { resource } = signIn;
  writeLogin(readDataDir(process.env, options), server, { issuer, resource, clientId, ...tokensOf(tokens) });
  show(options, { server, issuer }, () => `Signed in to ${server}.`);
}

/** Forgets the tokens. The access token stays valid until it expires. */
export function logout(options: LoginOptions): void {
  const server = originOf(options.server);
  const dataDir = readDataDir(process.env, options);
  const isKnown = hasLogin(dataDir, server);
  writeLogin(dataDir, server, undefined);
  show(options, { server }, () => (isKnown ? `Signed out of ${server}.` : `There was no login for ${server}.`));
}
