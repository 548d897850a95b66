import { expect, test } from 'vitest';
import type { CallerInfo } from '../../../shared/api/index.ts';
import { type RefusedRequest, refusedWords } from './refused-credential.ts';

const SERVER = 'https://cuebook.example.com';
const LOGIN = `\`cuebook login --server ${SERVER}\``;
const EXPIRED = 'The token was refused: `ERR_JWT_EXPIRED` on its `exp` claim';
const FORBIDDEN = 'inbox needs the permission playbook:read here, and the caller does not have it.';
const CALLER: CallerInfo = {
  id: 'person:ada',
  form: 'access_token',
  org: 'acme',
  permissions: ['org:read'],
  all_playbooks: true,
};

function wordsOf(status: number, detail: string, request: Partial<RefusedRequest>): string {
  const known = { server: SERVER, presented: 'login', challenge: null, org: undefined, caller: undefined } as const;
  return refusedWords({ status, detail }, { ...known, ...request });
}

test.each<[string, number, string, Partial<RefusedRequest>, string]>([
  [
    'a login that is refused',
    401,
    EXPIRED,
    {},
    `${EXPIRED}. Run ${LOGIN} to sign in again. If the new login is refused too, ask the operator of the server: the identity service does not issue the tokens that it needs.`,
  ],
  [
    'nothing, where people sign in',
    401,
    'Send a key.',
    { presented: 'nothing', challenge: 'Bearer resource_metadata="…"' },
    `You are not signed in to this server. Run ${LOGIN}, or set CUEBOOK_KEY to a key of this server.`,
  ],
  [
    'a login without the permission',
    403,
    FORBIDDEN,
    { caller: CALLER },
    `${FORBIDDEN} Your login permits org:read. Run ${LOGIN} and grant more, or ask the operator of the identity service to permit it.`,
  ],
  [
    'a login for another org',
    403,
    FORBIDDEN,
    { caller: CALLER, org: 'globex' },
    `Your login for ${SERVER} is for the org acme, and --org names globex. Leave out --org, or run ${LOGIN} and sign in to globex.`,
  ],
  [
    'a key that is limited to other playbooks',
    403,
    FORBIDDEN,
    { presented: 'key', caller: { ...CALLER, form: 'key', all_playbooks: false } },
    `${FORBIDDEN} The key in CUEBOOK_KEY permits org:read, in some playbooks only. Set CUEBOOK_KEY to a key that permits this; the operator of the server creates one with \`cuebook keys create\`.`,
  ],
  [
    'a key for another org',
    403,
    FORBIDDEN,
    { presented: 'key', caller: { ...CALLER, form: 'key' }, org: 'globex' },
    'The key in CUEBOOK_KEY is for the org acme, and --org names globex. Leave out --org, or set CUEBOOK_KEY to a key for globex.',
  ],
])('given %s', (_case, status, detail, request, words) => {
  expect(wordsOf(status, detail, request)).toBe(words);
});
