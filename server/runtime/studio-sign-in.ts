// How people sign in to the studio of a published server: its page names the ways in `<meta name="cuebook-sign-in">`, and
// its policy permits requests to where they sign in.
import type { JsonObject } from '../../shared/json.ts';
import type { IdentityService } from '../domain/access/index.ts';
import type { StudioFiles } from '../interfaces/http/index.ts';
import { type Settings, SettingsError } from '../settings/index.ts';

type SignInSettings = Pick<Settings, 'apiKeys' | 'publicUrl' | 'studioSignIn'>;

/** What an OpenID Connect client has to know of the identity service. */
const METADATA = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'end_session_endpoint',
  'revocation_endpoint',
  'scopes_supported',
  'id_token_signing_alg_values_supported',
  'authorization_response_iss_parameter_supported',
];

/**
 * The studio whose page and policy name the ways to sign in.
 * @param service undefined until the server listens, and where nobody signs in
 */
export function withSignIn(
  studio: StudioFiles,
  settings: SignInSettings,
  service: () => IdentityService | undefined,
): StudioFiles {
  return {
    ...studio,
    offersSessions: settings.studioSignIn.sessionModule !== undefined,
    // Keys change with the configuration file.
    get page() {
      const meta = `<meta name="cuebook-sign-in"${attributesOf(settings, service())}>`;
      return studio.page.replace('<meta charset="utf-8"', (charset) => `${meta}\n${charset}`);
    },
    get signInOrigins() {
      return originsOf(settings, service());
    },
  };
}

/** @throws SettingsError if the studio is a client of an identity service that cannot sign people in on a page */
export function requireStudioClient({ studioSignIn }: SignInSettings, service: IdentityService | undefined): void {
  if (studioSignIn.clientId === undefined || service === undefined) return;
  for (const name of ['authorization_endpoint', 'token_endpoint']) {
    const address = service.metadata[name];
    if (typeof address === 'string' && URL.parse(address)?.protocol === 'https:') continue;
    throw new SettingsError(
      `STUDIO_CLIENT_ID is set, but the metadata of the identity service ${service.issuer} names no https \`${name}\`, without which nobody can sign in to the studio. Unset STUDIO_CLIENT_ID, or set STUDIO_SESSION_MODULE instead.`,
    );
  }
}

function attributesOf({ apiKeys, publicUrl, studioSignIn }: SignInSettings, service: IdentityService | undefined) {
  const { clientId, sessionModule } = studioSignIn;
  const openId: JsonObject | undefined =
    clientId === undefined || service === undefined
      ? undefined
      : { clientId, resource: publicUrl ?? '', service: publishedIn(service) };
  const ways = [
    ...(apiKeys().length > 0 ? ['key'] : []),
    ...(openId === undefined ? [] : ['openid']),
    ...(sessionModule === undefined ? [] : ['session']),
  ];
  const attributes = {
    content: ways.join(' '),
    'data-openid': openId === undefined ? undefined : JSON.stringify(openId),
    'data-session-module': sessionModule,
  };
  return Object.entries(attributes)
    .filter((attribute): attribute is [string, string] => attribute[1] !== undefined)
    .map(([name, value]) => ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`)
    .join('');
}

function publishedIn({ metadata }: IdentityService): JsonObject {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => METADATA.includes(name)));
}

function originsOf({ studioSignIn }: SignInSettings, service: IdentityService | undefined) {
  const { clientId, sessionModule } = studioSignIn;
  if (service === undefined) return { scripts: [], requests: [] };
  const scripts = sessionModule === undefined ? [] : [new URL(sessionModule).origin];
  const endpoints = clientId === undefined ? [] : ['token_endpoint', 'revocation_endpoint'];
  const addresses = endpoints.map((name) => URL.parse(String(service.metadata[name])));
  const tokens = addresses.flatMap((address) => (address?.protocol === 'https:' ? [address.origin] : []));
  // A session is renewed at the identity service, wherever the module comes from.
  const sessions = sessionModule === undefined ? [] : [...scripts, new URL(service.issuer).origin];
  return { scripts, requests: [...new Set([...tokens, ...sessions])] };
}
