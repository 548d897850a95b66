// What a command presents to a server: the key in CUEBOOK_KEY, otherwise the token of `cuebook login`.
import { environmentVariable, readDataDir } from '../../settings/index.ts';
import { readLogin } from './login/logins.ts';

/** Called for each request, because a token expires and is then refreshed; undefined if there is nothing to present. */
export type Credential = () => Promise<string | undefined>;

export const environmentKey: Credential = async () => keyInEnvironment();

/** What a command presents: the value of CUEBOOK_KEY, the token of a login, or nothing. */
export type Presented = 'key' | 'login' | 'nothing';

/** @param token what a credential returned */
export function presentedAs(token: string | undefined): Presented {
  if (token === undefined) return 'nothing';
  return token === keyInEnvironment() ? 'key' : 'login';
}

/** An empty variable counts as not set. */
function keyInEnvironment(): string | undefined {
  return environmentVariable(process.env, 'CUEBOOK_KEY');
}

/** @param server the origin of the server that the command names */
export function credentialFor(server: string, options: { dataDir?: string | undefined }): Credential {
  const dataDir = readDataDir(process.env, options);
  if (keyInEnvironment() !== undefined || readLogin(dataDir, server) === undefined) return environmentKey;
  let refreshing: Promise<string> | undefined;
  return () => {
    refreshing ??= import('./login/fresh-token.ts')
      .then(({ freshToken }) => freshToken(dataDir, server))
      .finally(() => {
        refreshing = undefined;
      });
    return refreshing;
  };
}
