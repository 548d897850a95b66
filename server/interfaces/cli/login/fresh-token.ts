// The access token of a login. The identity service may accept a refresh token only once, and end the whole login when it
// is presented again. So one process renews the token, while the others wait and read the result.
import { None, processRefreshTokenResponse, refreshTokenGrantRequest } from 'oauth4webapi';
import { failed } from '../failure.ts';
import { BOUNDED, isUnreachable, readService, reasonOf, tokensOf } from './identity-service.ts';
import { lockLogins, type Login, readLogin } from './logins.ts';

/** Milliseconds before its expiry at which a token is renewed. */
const EARLY = 30_000;

/** The access token for a server, renewed if it is about to expire. @throws CommandFailure if that fails */
export async function freshToken(dataDir: string, server: string): Promise<string> {
  const login = readLogin(dataDir, server);
  if (login !== undefined && isFresh(login)) return login.accessToken;
  return lockLogins(dataDir, async (write) => {
    // Another process may have renewed or removed it meanwhile.
    const current = readLogin(dataDir, server);
    if (current === undefined) {
      throw failed(`You are not signed in to ${server}. Run \`cuebook login --server ${server}\`.`);
    }
    if (isFresh(current)) return current.accessToken;
    const renewed = { ...current, ...(await renew(current, server)) };
    write(server, renewed);
    return renewed.accessToken;
  });
}

function isFresh({ expiresAt }: Login): boolean {
  return expiresAt > Date.now() + EARLY;
}

/** @throws CommandFailure */
async function renew(
  { issuer, resource, clientId, refreshToken }: Login,
  server: string,
): Promise<ReturnType<typeof tokensOf>> {
  const signInAgain = `Run \`cuebook login --server ${server}\` to sign in again.`;
  if (refreshToken === undefined) {
    throw failed(`Your login for ${server} has expired, and the identity service lets nobody renew it. ${signInAgain}`);
  }
  try {
    const service = await readService(issuer);
    const client = { client_id: clientId };
    const response = await refreshTokenGrantRequest(service, client, None(), refreshToken, {
      ...BOUNDED,
      additionalParameters: { resource },
    });
    return tokensOf(await processRefreshTokenResponse(service, client, response), refreshToken);
  } catch (error) {
    const advice = isUnreachable(error) ? 'Try again later.' : signInAgain;
    throw failed(`Your login for ${server} has expired, and renewing it failed: ${reasonOf(error)}. ${advice}`);
  }
}
