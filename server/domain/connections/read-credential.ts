// Reads what a person enters on the connect page into the form that is sealed.
import type { Issue } from '../../../shared/issues.ts';
import { KEY_ALGORITHMS } from '../../../shared/connection-kinds.ts';
import type { Credential } from '../../../shared/schemas/index.ts';
import { SHORTEST_SECRET } from '../../lib/scrub/index.ts';
import { shownEnd } from '../../kernel/secrets/index.ts';
import { type KeyAlgorithm, readPrivateKey } from './private-key.ts';

export interface CredentialFields {
  value?: string | undefined;
  client_secret?: string | undefined;
  private_key?: string | undefined;
  algorithm?: KeyAlgorithm | undefined;
}

/** The sealed text is the JSON of this. */
export type SealedCredential =
  | { value: string }
  | { client_secret: string }
  | { private_key: string; algorithm: KeyAlgorithm };

export type CredentialReading =
  | { ok: true; sealed: SealedCredential; shown: string | null }
  | { ok: false; issues: Issue[] };

type Field = keyof CredentialFields;
const FIELDS: readonly Field[] = ['value', 'client_secret', 'private_key', 'algorithm'];

/** The scheme in front of a credential in a header (RFC 9110, section 11.4); it is not secret. */
const SCHEME = /^(?:apikey|basic|bearer|token) +/i;

const TOO_SHORT = `It has fewer than ${SHORTEST_SECRET} characters; a scheme such as Bearer does not count. A shorter value cannot be redacted from what the server returns; use a longer one.`;

/** Messages never contain the input. */
export function readGiven(credential: Credential, fields: CredentialFields): CredentialReading {
  const takes: readonly Field[] =
    credential.kind === 'secret' ? ['value'] : ['client_secret', 'private_key', 'algorithm'];
  const issues = FIELDS.filter((field) => fields[field] !== undefined && !takes.includes(field)).map((field) =>
    at(field, `A credential of the kind ${credential.kind} takes no \`${field}\`.`),
  );
  if (issues.length > 0) return { ok: false, issues };
  return credential.kind === 'secret' ? readValue(credential, fields.value) : readClient(fields);
}

function readValue(credential: Credential, value: string | undefined): CredentialReading {
  if (value === undefined) return missing('value', 'The value that is sent is needed here.');
  const isText =
    credential.in === 'query' ? /^\P{Cc}+$/u.test(value) : /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value);
  if (!isText)
    return missing(
      'value',
      'The value contains a character that cannot be sent, such as a line break or a leading or trailing space; copy it again without it.',
    );
  if (value.replace(SCHEME, '').length < SHORTEST_SECRET) return missing('value', TOO_SHORT);
  return { ok: true, sealed: { value }, shown: shownEnd(value) };
}

function readClient({ client_secret: secret, private_key: key, algorithm }: CredentialFields): CredentialReading {
  if (secret !== undefined && key !== undefined)
    return missing('private_key', 'Give either `client_secret` or `private_key`.');
  if (secret !== undefined) {
    if (algorithm !== undefined) return missing('algorithm', 'It is only used with `private_key`, which is missing.');
    if (!/^[\x20-\x7e]+$/.test(secret)) {
      return missing(
        'client_secret',
        'The client secret contains a character that client secrets do not have, such as a line break; copy it again.',
      );
    }
    if (secret.length < SHORTEST_SECRET) return missing('client_secret', TOO_SHORT);
    return { ok: true, sealed: { client_secret: secret }, shown: shownEnd(secret) };
  }
  if (key === undefined)
    return missing('client_secret', 'The secret of the client, or its `private_key`, is needed here.');
  if (algorithm === undefined)
    return missing('algorithm', `A private key needs its algorithm: ${KEY_ALGORITHMS.join(', ')}.`);
  const read = readPrivateKey(key, algorithm);
  if (!read.ok) return missing(read.field, read.detail);
  return { ok: true, sealed: { private_key: key, algorithm }, shown: null };
}

function missing(field: Field, detail: string): CredentialReading {
  return { ok: false, issues: [at(field, detail)] };
}

function at(field: Field, detail: string): Issue {
  return { pointer: `/${field}`, detail };
}
