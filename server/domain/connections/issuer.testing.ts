// A real issuer of tokens (oidc-provider) over TLS with a certificate of a test's own authority.
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type ClientMetadata, Provider } from 'oidc-provider';
import { onTestFinished, vi } from 'vitest';
import type { Certificates } from '../../test/index.ts';

/** Until the test ends, this process trusts the authority. */
export function trust({ authority }: Certificates): void {
  const before = getCACertificates('default');
  onTestFinished(() => setDefaultCACertificates(before));
  setDefaultCACertificates([...before, authority]);
}

export interface TestIssuer {
  issuer: string;
  /** Tokens in the order in which they were given. */
  tokens: string[];
  /** Scopes that were asked for. */
  scopes: unknown[];
}

/** @param lifeSeconds how long its tokens live */
export async function serveIssuer(
  { pair }: Certificates,
  clients: readonly ClientMetadata[],
  { lifeSeconds = 600, methods }: { lifeSeconds?: number; methods?: 'client_secret_post'[] } = {},
): Promise<TestIssuer> {
  const server = createServer(pair);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // It warns of what a test wants: keys and a store of its own making.
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const provider = new Provider(issuer, {
    clients: clients.map((client) => ({
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      ...client,
    })),
    scopes: ['tools:read', 'tools:write'],
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    ttl: { ClientCredentials: lifeSeconds },
    ...(methods === undefined ? {} : { clientAuthMethods: methods }),
  });
  warn.mockRestore();
  const tokens: string[] = [];
  const scopes: unknown[] = [];
  provider.on('grant.success', (ctx) => {
    const { access_token, scope } = ctx.body as { access_token: string; scope?: string };
    tokens.push(access_token);
    scopes.push(scope);
  });
  server.on('request', provider.callback());
  return { issuer, tokens, scopes };
}
