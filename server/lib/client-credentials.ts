// Requests for access tokens by client credentials (RFC 6749, section 4.4), and the bodies of their responses. The caller sends
// the request, since it knows which addresses are allowed (docs/decisions/client-credentials.md).
import { isJsonObject, type JsonObject } from '../../shared/json.ts';
import { PRODUCT } from '../../shared/product.ts';
import type { HttpRequest } from './http-client/index.ts';

/** How a client authenticates at a token endpoint: RFC 6749, section 2.3.1, or RFC 7523, section 2.2. */
export type ClientProof =
  | { method: 'client_secret_post' | 'client_secret_basic'; secret: string }
  | { method: 'private_key_jwt'; assertion: string }
  | { method: 'none' };

export interface ClientCredentials {
  /** Absent where the client does not authenticate and the endpoint needs no id. */
  clientId?: string | undefined;
  proof: ClientProof;
  /** Scopes separated by spaces. */
  scope?: string | undefined;
  /** Sent as `audience`, which many issuers accept beside the standard parameters. */
  audiences?: readonly string[];
}

export const ISSUER_HEADERS = { accept: 'application/json', 'user-agent': PRODUCT } as const;

/** @param encoding `json` for issuers that accept no form, beyond the standard */
export function tokenRequest(
  url: URL,
  credentials: ClientCredentials,
  encoding: 'form' | 'json' = 'form',
): HttpRequest {
  const { audiences = [] } = credentials;
  const fields = fieldsOf(credentials);
  const headers = { ...ISSUER_HEADERS, ...authorizationOf(credentials) };
  if (encoding === 'json') {
    const audience = audiences.length > 1 ? audiences : audiences[0];
    const body = JSON.stringify({ ...Object.fromEntries(fields), ...(audience === undefined ? {} : { audience }) });
    return { method: 'POST', url, headers: { ...headers, 'content-type': 'application/json' }, body };
  }
  const form = new URLSearchParams(fields);
  for (const audience of audiences) form.append('audience', audience);
  return {
    method: 'POST',
    url,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: String(form),
  };
}

function fieldsOf({ clientId, proof, scope }: ClientCredentials): [string, string][] {
  const fields: [string, string][] = [['grant_type', 'client_credentials']];
  if (clientId !== undefined && proof.method !== 'client_secret_basic') fields.push(['client_id', clientId]);
  if (proof.method === 'client_secret_post') fields.push(['client_secret', proof.secret]);
  if (proof.method === 'private_key_jwt') {
    fields.push(['client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer']);
    fields.push(['client_assertion', proof.assertion]);
  }
  if (scope !== undefined) fields.push(['scope', scope]);
  return fields;
}

/** RFC 6749, section 2.3.1: id and secret are encoded as in a form first. */
function authorizationOf({ clientId = '', proof }: ClientCredentials): { authorization?: string } {
  if (proof.method !== 'client_secret_basic') return {};
  const asInForm = (text: string): string => String(new URLSearchParams([['', text]])).slice(1);
  const pair = `${asInForm(clientId)}:${asInForm(proof.secret)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** The object in a response of an issuer; undefined where the body is none. */
export function readIssuerBody(body: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** RFC 6749, section 5.2. */
const ERROR_CODES = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
];

/** The error code of a response in brackets, behind a space; empty for other texts, which may hold a secret. */
export function errorCodeWords(answer: JsonObject | undefined): string {
  const code = ERROR_CODES.find((one) => one === answer?.['error']);
  return code === undefined ? '' : ` (${code})`;
}
