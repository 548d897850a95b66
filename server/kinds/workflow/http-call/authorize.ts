import type { HttpRequest } from '../../../lib/http-client/index.ts';
import type { Authentication } from './authentication.ts';
import type { Failed } from './call-error.ts';
import type { CallContext } from './memory.ts';
import { tokenFor } from './tokens.ts';

export type Authorize = (
  request: HttpRequest,
  authentication: Authentication,
) => Promise<{ ok: true; request: HttpRequest; tokenKey?: string } | Failed>;

/** Creates the header `authorization`. @param minted receives the tokens that were used */
export function authorizer(context: CallContext, minted: string[], signal: AbortSignal | undefined): Authorize {
  const withHeader = (request: HttpRequest, authorization: string): HttpRequest => ({
    ...request,
    headers: { ...request.headers, authorization },
  });
  return async (request, authentication) => {
    switch (authentication.scheme) {
      case 'none':
        return { ok: true, request };
      case 'basic': {
        const pair = Buffer.from(`${authentication.username}:${authentication.password}`).toString('base64');
        return { ok: true, request: withHeader(request, `Basic ${pair}`) };
      }
      case 'bearer':
        return { ok: true, request: withHeader(request, `Bearer ${authentication.token}`) };
      case 'oauth2':
      case 'oidc': {
        const given = await tokenFor(authentication.scheme, authentication.grant, context, signal);
        if (!given.ok) return given;
        minted.push(given.token);
        return { ok: true, request: withHeader(request, `Bearer ${given.token}`), tokenKey: given.key };
      }
    }
  };
}
