// Ends a login at the identity service (RFC 7009).
import { None, processRevocationResponse, revocationRequest } from 'oauth4webapi';
import { BOUNDED, readService, reasonOf } from './identity-service.ts';
import type { Login } from './logins.ts';

export interface Revocation {
  /** Whether the identity service revoked the refresh token. */
  isRevoked: boolean;
  /** The result as a sentence. */
  words: string;
}

export async function revoke({ issuer, clientId, refreshToken }: Login): Promise<Revocation> {
  if (refreshToken === undefined) return { isRevoked: false, words: 'The login had no refresh token to revoke.' };
  try {
    const service = await readService(issuer);
    if (service.revocation_endpoint === undefined) {
      const words = `The identity service ${issuer} cannot revoke the refresh token, which stays valid until it expires.`;
      return { isRevoked: false, words };
    }
    const response = await revocationRequest(service, { client_id: clientId }, None(), refreshToken, {
      ...BOUNDED,
      additionalParameters: { token_type_hint: 'refresh_token' },
    });
    await processRevocationResponse(response);
    return { isRevoked: true, words: `The refresh token was revoked at ${issuer}.` };
  } catch (error) {
    const words = `The refresh token was not revoked at ${issuer} and stays valid until it expires: ${reasonOf(error)}.`;
    return { isRevoked: false, words };
  }
}
