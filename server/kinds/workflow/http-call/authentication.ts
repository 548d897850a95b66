// The authentication policies of the DSL, with names and secrets resolved.
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import { type Failed, misconfigured, missingSecret } from './call-error.ts';
import { member, textOf, textsOf } from './members.ts';

export type Secrets = Readonly<Record<string, string>>;

export type Authentication =
  | { scheme: 'none' }
  | { scheme: 'basic'; username: string; password: string }
  | { scheme: 'bearer'; token: string }
  | { scheme: 'oauth2' | 'oidc'; grant: ClientGrant };

/** A token request with client credentials. */
export interface ClientGrant {
  authority: URL;
  /** oauth2: a path below the authority, or a full address. oidc: read from the metadata of the authority. */
  tokenPath: string;
  client: { id: string | undefined; secret: string | undefined; shownBy: ClientAuthentication };
  encoding: 'form' | 'json';
  scopes: string[];
  audiences: string[];
  /** The accepted issuers of the token; empty for any. */
  issuers: string[];
}

export type ClientAuthentication = 'client_secret_post' | 'client_secret_basic' | 'none';

export type AuthenticationRead = { ok: true; authentication: Authentication } | Failed;

/** @param named the workflow's `use.authentications` */
export function readAuthentication(given: Json | undefined, named: JsonObject, secrets: Secrets): AuthenticationRead {
  if (given === undefined || given === null) return { ok: true, authentication: { scheme: 'none' } };
  if (!isJsonObject(given)) return misconfigured('`authentication` must be an object.');
  const name = textOf(given, 'use');
  const policy = name === undefined ? given : member(named, name);
  if (!isJsonObject(policy)) return misconfigured(`The workflow has no authentication \`${name ?? ''}\`.`);
  for (const [scheme, read] of Object.entries(READERS)) {
    const settings = member(policy, scheme);
    if (!isJsonObject(settings)) continue;
    const found = settingsOf(settings, secrets, scheme);
    return found.ok ? read(found.settings) : found;
  }
  return misconfigured('`authentication` must be one of basic, bearer, oauth2 and oidc.');
}

/** The values to redact from everything that the call returns or records. */
export function credentialsOf(authentication: Authentication): string[] {
  switch (authentication.scheme) {
    case 'none':
      return [];
    case 'basic':
      return [authentication.password, `${authentication.username}:${authentication.password}`];
    case 'bearer':
      return [authentication.token];
    case 'oauth2':
    case 'oidc': {
      const { id, secret } = authentication.grant.client;
      return secret === undefined ? [] : [secret, `${id ?? ''}:${secret}`];
    }
  }
}

const READERS: Readonly<Record<string, (settings: JsonObject) => AuthenticationRead>> = {
  basic: readBasic,
  bearer: readBearer,
  oauth2: (settings) => readGrant('oauth2', settings),
  oidc: (settings) => readGrant('oidc', settings),
};

/** The settings as written, or those in a secret: a JSON object, or for `bearer` the token itself. */
function settingsOf(
  settings: JsonObject,
  secrets: Secrets,
  scheme: string,
): { ok: true; settings: JsonObject } | Failed {
  const name = textOf(settings, 'use');
  if (name === undefined) return { ok: true, settings };
  const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
  if (secret === undefined) return missingSecret(name);
  const parsed = parseObject(secret);
  if (parsed !== undefined) return { ok: true, settings: parsed };
  if (scheme === 'bearer') return { ok: true, settings: { token: secret } };
  return misconfigured(`The secret \`${name}\` must contain the settings of \`${scheme}\` as a JSON object.`);
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readBasic(settings: JsonObject): AuthenticationRead {
  const [username, password] = [member(settings, 'username'), member(settings, 'password')];
  if (typeof username !== 'string' || typeof password !== 'string') {
    return misconfigured('`basic` needs `username` and `password` as strings.');
  }
  if (username.includes(':')) return misconfigured('A `username` of `basic` cannot contain a colon.');
  return { ok: true, authentication: { scheme: 'basic', username, password } };
}

function readBearer(settings: JsonObject): AuthenticationRead {
  const token = textOf(settings, 'token')?.trim();
  if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) {
    return misconfigured('`bearer` needs a `token`: a string without spaces.');
  }
  return { ok: true, authentication: { scheme: 'bearer', token } };
}

function readGrant(scheme: 'oauth2' | 'oidc', settings: JsonObject): AuthenticationRead {
  const grantType = textOf(settings, 'grant');
  if (grantType !== 'client_credentials') {
    return misconfigured(`\`${scheme}\` supports only the grant \`client_credentials\`.`);
  }
  const authority = URL.parse(textOf(settings, 'authority') ?? '');
  if (authority === null || !/^https?:$/.test(authority.protocol) || authority.username !== '') {
    return misconfigured(`\`${scheme}\` needs an \`authority\`: an absolute http or https URL.`);
  }
  const client = readClient(member(settings, 'client'), scheme);
  if (!client.ok) return client;
  const request = member(settings, 'request');
  const encoding = isJsonObject(request) ? textOf(request, 'encoding') : undefined;
  const endpoints = member(settings, 'endpoints');
  const grant: ClientGrant = {
    authority,
    tokenPath: (isJsonObject(endpoints) ? textOf(endpoints, 'token') : undefined) ?? '/oauth2/token',
    client: client.client,
    encoding: encoding === 'application/json' ? 'json' : 'form',
    scopes: textsOf(settings, 'scopes'),
    audiences: textsOf(settings, 'audiences'),
    issuers: textsOf(settings, 'issuers'),
  };
  return { ok: true, authentication: { scheme, grant } };
}

function readClient(given: Json | undefined, scheme: string): { ok: true; client: ClientGrant['client'] } | Failed {
  const settings = isJsonObject(given) ? given : {};
  const shownBy = textOf(settings, 'authentication') ?? 'client_secret_post';
  const [id, secret] = [textOf(settings, 'id'), textOf(settings, 'secret')];
  if (shownBy === 'none') return { ok: true, client: { id, secret: undefined, shownBy } };
  if (shownBy !== 'client_secret_post' && shownBy !== 'client_secret_basic') {
    const known = 'client_secret_post, client_secret_basic and none';
    return misconfigured(`The \`client\` of \`${scheme}\` can authenticate with ${known}.`);
  }
  if (id === undefined || secret === undefined) {
    return misconfigured(`The \`client\` of \`${scheme}\` needs \`id\` and \`secret\`.`);
  }
  return { ok: true, client: { id, secret, shownBy } };
}
