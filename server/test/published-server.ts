// A published server with TLS and an identity service, and what a client on the same machine needs to sign in there: trust
// in the certificates, and a program that opens an address as the person's browser would.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ClientMetadata } from 'oidc-provider';
import { createKey } from '../domain/access/index.ts';
import {
  type IdentityProvider,
  type IdentityProviderOptions,
  serveIdentityProvider,
} from '../domain/access/identity-provider.testing.ts';
import { type Certificates, createTestClient, serveProxy, startServerProcess, type TestClient } from './index.ts';
import { ALL_PERMISSIONS } from '../../shared/permissions.ts';

export interface PublishedServer {
  /** Its public origin. */
  address: string;
  dataDir: string;
  /** Where people sign in. */
  identity: IdentityProvider;
  /** Calls the server with a key for the org that people sign in to. */
  client: Pick<TestClient, 'post'>;
  /** Variables for a client's process. */
  environment: Record<string, string>;
  close: () => Promise<void>;
}

/**
 * Its only key is in its configuration file.
 * @param folder for its files; it may not exist yet
 * @param options `studioClient`: the client ID of the studio
 */
export async function startPublishedServer(
  folder: string,
  certificates: Certificates,
  { studioClient, ...options }: IdentityProviderOptions & { studioClient?: string } = {},
): Promise<PublishedServer> {
  const bin = path.join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const authority = path.join(folder, 'authority.pem');
  writeFileSync(authority, certificates.authority);
  const browser = path.join(bin, 'xdg-open');
  for (const name of ['xdg-open', 'open']) writeFileSync(path.join(bin, name), BROWSER, { mode: 0o755 });

  const proxy = await serveProxy(certificates.pair);
  const studio = studioClient === undefined ? [] : [publicClient(studioClient, `${proxy.address}/`)];
  const identity = await serveIdentityProvider(certificates, {
    ...options,
    clients: [...(options.clients ?? []), ...studio],
  });
  const { key, sha256 } = createKey();
  const setup = { name: 'setup', sha256, org: identity.org, permissions: ALL_PERMISSIONS };
  const dataDir = path.join(folder, 'data');
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(path.join(dataDir, 'cuebook.yaml'), JSON.stringify({ api_keys: [setup] }));
  const server = await startServerProcess(dataDir, {
    environment: {
      PUBLIC_URL: proxy.address,
      IDENTITY_ISSUER: identity.issuer,
      ...(studioClient === undefined ? {} : { STUDIO_CLIENT_ID: studioClient }),
      NODE_EXTRA_CA_CERTS: authority,
    },
  });
  proxy.forwardTo(server.address);
  const client = await createTestClient(server.address);
  return {
    address: proxy.address,
    dataDir,
    identity,
    client: { post: (route, body) => client.post(route, body, { authorization: `Bearer ${key}` }) },
    environment: {
      NODE_EXTRA_CA_CERTS: authority,
      BROWSER: browser,
      PATH: [bin, process.env['PATH']].join(path.delimiter),
    },
    async close() {
      await server.end('SIGTERM');
      await proxy.close();
      await identity.close();
    },
  };
}

/** A client that runs in a page, and returns to one address. */
function publicClient(client_id: string, address: string): ClientMetadata {
  return {
    client_id,
    redirect_uris: [address],
    post_logout_redirect_uris: [address],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  };
}

/** Follows the redirects of the identity service, then opens the address of the client that they lead to. */
const PROGRAM = `
import { followRedirects } from '${new URL('./browse.ts', import.meta.url).href}';
await fetch(await followRedirects(new URL(process.argv[1])));
`;
const BROWSER = `#!/bin/sh
exec '${process.execPath}' --input-type=module --eval "${PROGRAM}" "$1"
`;
