// A real identity service (oidc-provider) over TLS: dynamic client registration, resource indicators, signed access
// tokens, the device flow. One person, `ada`, signs in and consents to everything without a page.
import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { type ClientMetadata, type Configuration, Provider } from 'oidc-provider';
import { type Certificates, type LoopbackServer, serveLoopback } from '../../test/index.ts';

export interface IdentityProviderOptions {
  /** Clients that are registered beforehand. */
  clients?: readonly ClientMetadata[];
  /** Whether clients may register themselves; default true. */
  registers?: boolean;
  /** Whether it offers the device flow; default false. */
  offersDevices?: boolean;
  /** Whether clients may revoke tokens; default true. */
  revokes?: boolean;
}

export interface IdentityProvider {
  issuer: string;
  /** The `org_id` of its access tokens. */
  org: string;
  /** Seconds until its access tokens expire; a negative number makes tokens that have expired already. */
  lifetime: number;
  /** Seconds between the polls of a device. */
  interval: number;
  /** The scopes that the person grants, of those that a client asks for; undefined: the person refuses to sign in. */
  granted: readonly string[] | undefined;
  /** What it issued tokens for, in order: the grant type and the resource. */
  grants: { type: string; resource: string }[];
  /** Tokens that clients had revoked. */
  revoked: string[];
  /** Renews no tokens that were issued so far. */
  revokeRefreshTokens: () => Promise<void>;
  close: () => Promise<void>;
}

const RESOURCE_SCOPES = ['user:org:read', 'org:read', 'org:write', 'playbook:read', 'playbook:write'];
const LIVED = ['DeviceCode', 'Grant', 'IdToken', 'Interaction', 'RefreshToken', 'Session'];
const PERSON = 'ada';
const INTERACTION = '/interaction/';

export async function serveIdentityProvider(
  { pair }: Certificates,
  options: IdentityProviderOptions = {},
): Promise<IdentityProvider> {
  let listener: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server: LoopbackServer = await serveLoopback((request, response) => listener(request, response), pair);
  const state: IdentityProvider = {
    issuer: server.address,
    org: 'acme',
    lifetime: 600,
    interval: 0.01,
    granted: RESOURCE_SCOPES,
    grants: [],
    revoked: [],
    revokeRefreshTokens: async () => {
      await Promise.all([...grantIds].map((id) => provider.RefreshToken.revokeByGrantId(id)));
    },
    close: () => server.close(),
  };
  const grantIds = new Set<string>();
  const provider = quietly(() => new Provider(server.address, configuration(state, options)));
  provider.on('grant.success', ({ oidc }) => {
    const { grant_type: type, resource } = oidc.params ?? {};
    state.grants.push({ type: String(type), resource: String(resource) });
    if (oidc.entities.Grant !== undefined) grantIds.add(oidc.entities.Grant.jti);
  });
  provider.use(async (ctx, next) => {
    await next();
    const { oidc, body } = ctx as {
      oidc?: { route?: string; params?: Record<string, unknown> };
      body: { interval?: number };
    };
    if (oidc?.route === 'device_authorization') body.interval = state.interval;
    if (oidc?.route === 'revocation' && ctx.status === 200) state.revoked.push(String(oidc.params?.['token']));
  });
  const callback = provider.callback();
  listener = (request, response) => {
    if (request.url?.startsWith(INTERACTION) !== true) return void callback(request, response);
    return void consent(provider, state, request, response).catch((error: unknown) =>
      response.writeHead(500).end(String(error)),
    );
  };
  return state;
}

function configuration(
  state: IdentityProvider,
  { clients = [], registers = true, offersDevices = false, revokes = true }: IdentityProviderOptions,
): Configuration {
  const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  return {
    clients: [...clients],
    jwks: { keys: [{ ...jwk, kty: 'EC', use: 'sig', alg: 'ES256' }] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    cookies: { keys: ['a key of the test'] },
    scopes: ['openid', 'offline_access', ...RESOURCE_SCOPES],
    interactions: { url: (_ctx, { uid }) => `${INTERACTION}${uid}` },
    // Pages are public clients.
    clientBasedCORS: () => true,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: registers },
      deviceFlow: {
        enabled: offersDevices,
        userCodeInputSource: (ctx, form) => void (ctx.body = form),
        userCodeConfirmSource: (ctx, form) => void (ctx.body = form),
        successSource: (ctx) => void (ctx.body = 'Signed in.'),
      },
      revocation: { enabled: revokes, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      rpInitiatedLogout: { logoutSource: (ctx, form) => void (ctx.body = logoutPage(form)) },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx, resource) => ({
          scope: RESOURCE_SCOPES.join(' '),
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    ttl: {
      ...Object.fromEntries(LIVED.map((name) => [name, 600])),
      // A token response cannot name a negative time.
      AccessToken: () => Math.max(1, state.lifetime),
    },
    extraTokenClaims: () => ({ org_id: state.org }),
    formats: {
      customizers: {
        jwt(_ctx, _token, { payload }) {
          payload['exp'] = Number(payload['iat']) + state.lifetime;
        },
      },
    },
  };
}

/** Signs the person in, and grants what the client asks for as far as `granted` has it. */
async function consent(
  provider: Provider,
  { granted }: IdentityProvider,
  request: Parameters<RequestListener>[0],
  response: Parameters<RequestListener>[1],
): Promise<void> {
  if (granted === undefined) {
    return provider.interactionFinished(request, response, { error: 'access_denied' });
  }
  const { params } = await provider.interactionDetails(request, response);
  const asked = String(params['scope'] ?? '').split(' ');
  const grant = new provider.Grant({ accountId: PERSON, clientId: String(params['client_id']) });
  grant.addOIDCScope(asked.join(' '));
  for (const resource of [params['resource'] ?? []].flat()) {
    const refused = asked.filter((scope) => RESOURCE_SCOPES.includes(scope) && !granted.includes(scope));
    grant.addResourceScope(String(resource), asked.filter((scope) => granted.includes(scope)).join(' '));
    grant.rejectResourceScope(String(resource), refused.join(' '));
  }
  const result = { login: { accountId: PERSON }, consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, result);
}

/** Asks the person, without the fonts that the default page loads from elsewhere. */
function logoutPage(form: string): string {
  const button = '<button autofocus form="op.logoutForm" name="logout" value="yes">Sign out</button>';
  return `<!doctype html><title>Sign out?</title>${form}${button}`;
}

/** It warns that it keeps its state in memory, as a test wants. */
function quietly<T>(make: () => T): T {
  const { warn, info } = console;
  console.warn = console.info = () => undefined;
  try {
    return make();
  } finally {
    Object.assign(console, { warn, info });
  }
}
