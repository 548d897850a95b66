// What an authority is asked with.
import type { HttpRequest } from '../../../lib/http-client/index.ts';
import type { ClientGrant } from './authentication.ts';
import { USER_AGENT } from './prepare-call.ts';

/** RFC 6749, 4.4.2; `audience` is what many authorities take beside it. */
export function tokenRequest(url: URL, { client, encoding, scopes, audiences }: ClientGrant): HttpRequest {
  const inBody =
    client.shownBy === 'client_secret_basic'
      ? []
      : [
          ['client_id', client.id],
          ['client_secret', client.secret],
        ];
  const scope = scopes.length === 0 ? undefined : scopes.join(' ');
  const fields = [['grant_type', 'client_credentials'], ...inBody, ['scope', scope]].filter(
    (field): field is [string, string] => field[1] !== undefined,
  );
  const basic = client.shownBy === 'client_secret_basic' ? { authorization: basicOf(client) } : {};
  const type = encoding === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  const audience = audiences.length > 1 ? audiences : audiences[0];
  const body =
    encoding === 'json'
      ? JSON.stringify({ ...Object.fromEntries(fields), ...(audience === undefined ? {} : { audience }) })
      : String(new URLSearchParams([...fields, ...audiences.map((one): [string, string] => ['audience', one])]));
  return { method: 'POST', url, headers: { ...authorityHeaders(), ...basic, 'content-type': type }, body };
}

/** RFC 6749, 2.3.1: both are written as in a form first. */
function basicOf({ id = '', secret = '' }: ClientGrant['client']): string {
  const asInForm = (text: string): string => String(new URLSearchParams([['', text]])).slice(1);
  return `Basic ${Buffer.from(`${asInForm(id)}:${asInForm(secret)}`).toString('base64')}`;
}

export function authorityHeaders(): Record<string, string> {
  return { accept: 'application/json', 'user-agent': USER_AGENT };
}
