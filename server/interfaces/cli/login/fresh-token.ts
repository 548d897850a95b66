import { None, processRefreshTokenResponse, refreshTokenGrantRequest } from 'oauth4webapi';
import { CommandFailure, EXIT } from '../failure.ts';
import { readService, reasonOf, tokensOf } from './identity-service.ts';
import { readLogin, writeLogin } from './logins.ts';

/** Milliseconds before its expiry at which a token is refreshed. */
const EARLY = 30_000;

/** The access token for a server, refreshed if it is about to expire. @throws CommandFailure if that fails */
export async function freshToken(dataDir: string, server: string): Promise<string> {
  const login = readLogin(dataDir, server);
  if (login !== undefined && login.expiresAt > Date.now() + EARLY) return login.accessToken;
  if (login?.refreshToken === undefined) throw expired(server, 'it was not renewable');
  const { issuer, resource, clientId, refreshToken } = login;
  try {
    const service = await readService(issuer);
    const client = { client_id: clientId };
    const response = await refreshTokenGrantRequest(service, client, None(), refreshToken, {
      additionalParameters: { resource },
    });
    const tokens = tokensOf(await processRefreshTokenResponse(service, client, response), refreshToken);
    writeLogin(dataDir, server, { ...login, ...tokens });
    return tokens.accessToken;
  } catch (error) {
    // Another command may have refreshed it at the same time, which ends this refresh token.
    const other = readLogin(dataDir, server);
    if (other !== undefined && other.accessToken !== login.accessToken) return other.accessToken;
    throw expired(server, reasonOf(error));
  }
}

function expired(server: string, reason: string): CommandFailure {
  const words = `The login for ${server} expired and was not renewed: ${reason}. Run \`cuebook login --server ${server}\`.`;
  return new CommandFailure(words, EXIT.failed);
}
