// Clients of the protocol sign in by themselves: from a refused request through discovery, registration and a code to a
// tool call, with a real identity service and a reverse proxy with TLS.
import {
  auth as newAuth,
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
  UnauthorizedError as NewUnauthorized,
} from '@modelcontextprotocol/client';
import { UnauthorizedError as OldUnauthorized } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { decodeJwt } from 'jose';
import { afterEach, assert, beforeEach, describe, expect, test } from 'vitest';
import { type IdentityProvider, serveIdentityProvider } from '../../domain/access/identity-provider.testing.ts';
import { trust } from '../../domain/connections/issuer.testing.ts';
import { followRedirects, makeCertificates, serveProxy, startServer, type TestServer } from '../../test/index.ts';

const certificates = makeCertificates();
const NAME = { name: 'agent', version: '1.0.0' };
const CALLBACK = 'http://127.0.0.1/callback';
const PLAYBOOK = '/orgs/acme/playbooks/desk/mcp';

/** Keeps in memory what the OAuth client of either version of the SDK stores. */
class Store {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = {
    client_name: 'Agent',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  };
  client: { client_id: string } | undefined;
  held: { access_token: string; token_type: string; refresh_token?: string } | undefined;
  /** Where the authorization ends. */
  returned: URLSearchParams | undefined;
  #verifier = '';
  #discovered: object | undefined;

  clientInformation = () => this.client;
  saveClientInformation = (client: { client_id: string }) => void (this.client = client);
  tokens = () => this.held;
  saveTokens = (tokens: { access_token: string; token_type: string }) => void (this.held = tokens);
  codeVerifier = () => this.#verifier;
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  discoveryState = () => this.#discovered as never;
  saveDiscoveryState = (state: object) => void (this.#discovered = state);
  redirectToAuthorization = async (address: URL) => {
    this.returned = (await followRedirects(address)).searchParams;
  };
}

/** A client of either version. */
interface AnyClient {
  callTool(params: { name: string; arguments: object }): Promise<{ isError?: boolean; structuredContent?: object }>;
  close(): Promise<void>;
}

describe.skipIf(certificates === undefined)('signing in over MCP', () => {
  let identity: IdentityProvider;
  let proxy: Awaited<ReturnType<typeof serveProxy>>;
  let server: TestServer;
  let store: Store;

  beforeEach(async () => {
    assert(certificates !== undefined);
    trust(certificates);
    identity = await serveIdentityProvider(certificates);
    proxy = await serveProxy(certificates.pair);
    server = await startServer({ environment: { PUBLIC_URL: proxy.address, IDENTITY_ISSUER: identity.issuer } });
    proxy.forwardTo(server.address);
    store = new Store();
  });
  afterEach(async () => {
    await server.close();
    await proxy.close();
    await identity.close();
  });

  const transports = {
    old: (path: string) => {
      const transport = new OldTransport(new URL(`${proxy.address}${path}`), { authProvider: store });
      const client = new OldClient(NAME);
      const connect = () => client.connect(transport);
      const finish = () => transport.finishAuth(store.returned?.get('code') ?? '');
      return { client: client as unknown as AnyClient, connect, finish, Unauthorized: OldUnauthorized };
    },
    new: (path: string) => {
      const transport = new NewTransport(new URL(`${proxy.address}${path}`), { authProvider: store });
      const client = new NewClient(NAME, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
      const connect = () => client.connect(transport);
      const finish = () => transport.finishAuth(store.returned ?? new URLSearchParams());
      return { client: client as unknown as AnyClient, connect, finish, Unauthorized: NewUnauthorized };
    },
  };
  type Version = keyof typeof transports;

  /** The first request is refused; the person signs in, and the client connects. */
  async function signIn(version: Version, path: string): Promise<AnyClient> {
    const first = transports[version](path);
    await expect(first.connect()).rejects.toThrow(first.Unauthorized);
    await first.finish();
    return connect(version, path);
  }
  async function connect(version: Version, path: string): Promise<AnyClient> {
    const { client, connect: open } = transports[version](path);
    await open();
    return client;
  }
  const createDesk = { name: 'create_playbook', arguments: { playbook: 'desk', name: 'Desk' } };

  describe.each<Version>(['old', 'new'])('with the %s SDK', (version) => {
    test.each(['/mcp', '/orgs/acme/mcp'])('a client signs in at %s and calls a tool', async (path) => {
      const client = await signIn(version, path);
      const { structuredContent } = await client.callTool(createDesk);
      expect(structuredContent).toMatchObject({ id: 'desk', created_by: 'person:ada' });
      expect(identity.grants).toEqual([
        { type: 'authorization_code', resource: expect.stringContaining(proxy.address) },
      ]);
      await client.close();
    });

    test('a client signs in at the endpoint of a playbook', async () => {
      const org = await signIn(version, '/mcp');
      await org.callTool(createDesk);
      await org.close();
      store = new Store();
      const client = await signIn(version, PLAYBOOK);
      const { structuredContent } = await client.callTool({
        name: 'list_definitions',
        arguments: { type: 'computation' },
      });
      expect(structuredContent).toMatchObject({ definitions: [] });
      await client.close();
    });

    test('an expired token is refreshed without the person', async () => {
      identity.lifetime = -120;
      const first = transports[version]('/mcp');
      await expect(first.connect()).rejects.toThrow(first.Unauthorized);
      await first.finish();
      const expired = store.held?.access_token;
      identity.lifetime = 600;
      store.returned = undefined;
      const client = await connect(version, '/mcp');
      expect((await client.callTool(createDesk)).isError ?? false).toBe(false);
      expect([identity.grants.map(({ type }) => type), store.returned]).toEqual([
        ['authorization_code', 'refresh_token'],
        undefined,
      ]);
      expect(store.held?.access_token).not.toBe(expired);
      await client.close();
    });

    test('a tool that needs another scope is refused', async () => {
      identity.granted = ['user:org:read', 'org:read', 'playbook:read'];
      const client = await signIn(version, '/mcp');
      const read = await client.callTool({ name: 'list_playbooks', arguments: {} });
      expect(read.structuredContent).toMatchObject({ playbooks: [] });
      const { isError, ...result } = await client.callTool(createDesk);
      expect([isError, JSON.stringify(result)]).toEqual([true, expect.stringContaining('org:write')]);
      await client.close();
    });
  });

  test('a token is for the resource that the client asked for', async () => {
    const elsewhere = new URL('https://other.example.com/');
    const other = Object.assign(new Store(), { validateResourceURL: async () => elsewhere });
    const serverUrl = `${proxy.address}/mcp`;
    expect(await newAuth(other, { serverUrl })).toBe('REDIRECT');
    const { returned = new URLSearchParams() } = other;
    const code = { authorizationCode: returned.get('code') ?? '', iss: returned.get('iss') ?? '' };
    expect(await newAuth(other, { serverUrl, ...code })).toBe('AUTHORIZED');
    const token = other.held?.access_token ?? '';
    expect(decodeJwt(token)).toMatchObject({ aud: elsewhere.href, org_id: 'acme' });

    const response = await fetch(serverUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ]);
    expect(await response.json()).toMatchObject({ detail: expect.stringMatching(/`aud` claim/) });
  });
});
