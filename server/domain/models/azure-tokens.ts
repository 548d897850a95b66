// Access tokens of Microsoft Entra for Azure, by the credentials of a client (RFC 6749, section 4.4).
//
// This is the one flow of `@azure/identity` that servers need, without its browser sign-in and dozen packages.
import { createAccessTokens, readAccessToken } from '../../lib/access-tokens.ts';
import { readIssuerBody, tokenRequest } from '../../lib/client-credentials.ts';
import type { Clock } from '../../lib/clock.ts';
import type { HttpClient, HttpRequest } from '../../lib/http-client/index.ts';
import { ISSUER_BOUNDS } from '../../lib/issuer-metadata.ts';
import type { BuiltInProvider } from '../../settings/index.ts';
import { type Classified, classifyTokenAnswer } from './classify.ts';

export interface AzureTokens {
  /** @throws NoToken */
  of: (provider: BuiltInProvider) => Promise<string>;
  /** Azure refused the token of the provider: the next call gets another one. */
  refused: (provider: BuiltInProvider) => void;
}

/** Entra gave no token, so nothing was sent to Azure. */
export class NoToken extends Error {
  readonly failure: Classified;

  constructor(failure: Classified) {
    super('Microsoft Entra returned no token.');
    this.name = 'NoToken';
    this.failure = failure;
  }
}

const AUTHORITY = 'https://login.microsoftonline.com';
const SCOPE = 'https://cognitiveservices.azure.com/.default';

export function createAzureTokens(client: Pick<HttpClient, 'send'>, clock: Clock): AzureTokens {
  const tokens = createAccessTokens(clock);
  return {
    of: (provider) =>
      tokens.of(idOf(provider), async (age) => {
        const answer = await client.send(requestOf(provider), ISSUER_BOUNDS);
        const value = answer.kind === 'failed' ? undefined : readIssuerBody(answer.body);
        const isGiven = answer.kind === 'response' && answer.status === 200;
        const token = isGiven && value !== undefined ? readAccessToken(value, age) : undefined;
        if (token === undefined) throw new NoToken(classifyTokenAnswer(answer, value));
        return token;
      }),
    refused: (provider) => tokens.forget(idOf(provider)),
  };
}

/** Another secret is another client. */
function idOf({ variables }: BuiltInProvider): string {
  return JSON.stringify(variables);
}

function requestOf({ variables }: BuiltInProvider): HttpRequest {
  const text = (name: string): string => variables[name] ?? '';
  const authority = variables['AZURE_AUTHORITY_HOST'] ?? AUTHORITY;
  const tenant = encodeURIComponent(text('AZURE_TENANT_ID'));
  const url = new URL(`${authority.replace(/\/+$/, '')}/${tenant}/oauth2/v2.0/token`);
  const proof = { method: 'client_secret_post', secret: text('AZURE_CLIENT_SECRET') } as const;
  return tokenRequest(url, { clientId: text('AZURE_CLIENT_ID'), proof, scope: SCOPE });
}
