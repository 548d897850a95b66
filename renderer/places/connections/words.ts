// Texts about connections.
import type { Connection, Credential } from '../../../shared/api/index.ts';

export const KINDS = { mcp: 'MCP server', openapi: 'HTTP API' } as const;

const PLACES = { header: 'header', query: 'query parameter', security: 'security scheme' } as const;

/** Whether a person must enter a value to approve. */
export function takesValue({ kind }: Credential): boolean {
  return kind === 'secret' || kind === 'client_credentials';
}

/** How its requests are authenticated. */
export function credentialWords({ kind, name, in: location, variable, issuer, client_id: client }: Credential): string {
  const where = location === undefined ? '' : `${PLACES[location]} ${name ?? ''}`;
  switch (kind) {
    case 'none':
      return 'No credential';
    case 'secret':
      return `A secret in the ${where}`;
    case 'reference':
      return `The operator's variable ${variable ?? ''} in the ${where}`;
    case 'client_credentials':
      return `Tokens from ${issuer ?? ''} for client ${client ?? ''}`;
  }
}

/** Every address that requests go to, with its purpose. */
export function addressesOf({ entry, credential }: Connection): readonly (readonly [what: string, address: string])[] {
  const all = [
    ['Tools at', entry.url],
    ['OpenAPI document', entry.document],
    ['API', entry.base_url],
    ['Token issuer', credential.issuer],
  ] as const;
  return all.filter((one): one is readonly [(typeof one)[0], string] => one[1] !== undefined);
}

export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

/** What to do when the tools are unavailable. */
export const TO_DO: Readonly<Record<string, string>> = {
  connection_pending: 'Open its link, or remove the connection and add it again for a new link.',
  connection_broken: 'Remove the connection, add it again, and enter the credential again.',
  connection_not_allowed:
    'It stays connected and works again once this is fixed: under connections in cuebook.yaml, or where the variable or the data key is set.',
  key_refused: 'The server rejects the credential. Remove the connection and add it again with a valid credential.',
  rate_limited: 'The server is rate limiting requests. Try again later.',
  failing: 'The server returns errors or invalid responses. Ask its operator.',
  unreachable: 'The server does not respond. Start it, or check its address.',
};
