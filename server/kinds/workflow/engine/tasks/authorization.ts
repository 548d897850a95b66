// `$authorization`: the scheme and parameter of the call's credentials, as far as the document gives them.
import { isJsonObject, type Json, type JsonObject } from '../../../../../shared/json.ts';

/** A token that is fetched for the call is not shown: its parameter is null. */
export function authorizationOf({ with: given, authentications }: JsonObject): JsonObject | null {
  const policy = policyOf(given ?? null, authentications ?? null);
  const basic = member(policy, 'basic');
  if (isJsonObject(basic)) {
    const { username, password } = basic;
    if (typeof username !== 'string' || typeof password !== 'string') return { scheme: 'Basic', parameter: null };
    return { scheme: 'Basic', parameter: Buffer.from(`${username}:${password}`).toString('base64') };
  }
  const bearer = member(policy, 'bearer');
  if (isJsonObject(bearer)) return { scheme: 'Bearer', parameter: bearer['token'] ?? null };
  const isGot = member(policy, 'oauth2') !== undefined || member(policy, 'oidc') !== undefined;
  return isGot ? { scheme: 'Bearer', parameter: null } : null;
}

/** The policy of the call, or of its endpoint; one that is named is looked up. */
function policyOf(given: Json, authentications: Json): Json {
  const policy = member(given, 'authentication') ?? member(member(given, 'endpoint') ?? null, 'authentication') ?? null;
  const name = typeof policy === 'string' ? policy : member(policy, 'use');
  return typeof name === 'string' ? (member(authentications, name) ?? null) : policy;
}

function member(value: Json, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
