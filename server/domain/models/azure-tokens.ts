// Access tokens of Microsoft Entra for Azure, by the credentials of a client (RFC 6749, section 4.4).
//
// This is the one flow of `@azure/identity` that servers need, without its browser sign-in and dozen packages.
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { createAccessTokens, readAccessToken } from '../../lib/access-tokens.ts';
import type { Clock } from '../../lib/clock.ts';
import type { HttpAnswer, HttpClient } from '../../lib/http-client/index.ts';
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
const DEADLINE_MS = 10_000;
const MOST_BYTES = 64 * 1024;

export function createAzureTokens(client: Pick<HttpClient, 'send'>, clock: Clock): AzureTokens {
  const tokens = createAccessTokens(clock);
  return {
    of: (provider) =>
      tokens.of(idOf(provider), async (age) => {
        const request = tokenRequest(provider);
        const answer = await client.send(request, { deadline: DEADLINE_MS, maxBytes: MOST_BYTES });
        const value = valueOf(answer);
        const isGiven = answer.kind === 'response' && answer.status === 200;
        const token = isGiven && value !== undefined ? readAccessToken(value, age) : undefined;
        if (token === undefined) throw new NoToken(classifyTokenAnswer(answer, value?.['error']));
        return token;
      }),
    refused: (provider) => tokens.forget(idOf(provider)),
  };
}

/** Another secret is another client. */
function idOf({ variables }: BuiltInProvider): string {
  return JSON.stringify(variables);
}

function tokenRequest({ variables }: BuiltInProvider): Parameters<HttpClient['send']>[0] {
  const text = (name: string): string => variables[name] ?? '';
  const authority = variables['AZURE_AUTHORITY_HOST'] ?? AUTHORITY;
  const tenant = encodeURIComponent(text('AZURE_TENANT_ID'));
  const fields = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: text('AZURE_CLIENT_ID'),
    client_secret: text('AZURE_CLIENT_SECRET'),
    scope: SCOPE,
  });
  return {
    method: 'POST',
    url: new URL(`${authority.replace(/\/+$/, '')}/${tenant}/oauth2/v2.0/token`),
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: String(fields),
  };
}

function valueOf(answer: HttpAnswer): JsonObject | undefined {
  if (answer.kind === 'failed') return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(answer.body).toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
