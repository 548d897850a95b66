// Tokens of an identity service whose key set is served over TLS: every rule is broken once, at its boundary too.
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { exportJWK, type JWK, type JWTHeaderParameters, SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, assert, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import { createHttpClient } from '../../lib/http-client/index.ts';
import { Refused } from '../../lib/rejection.ts';
import type { Caller } from '../../operations/index.ts';
import { type LoopbackServer, makeCertificates, serveLoopback } from '../../test/index.ts';
import { trust } from '../connections/issuer.testing.ts';
import { createTokenVerifier, type Presented } from './tokens.ts';

const certificates = makeCertificates();
const PUBLIC_URL = 'https://cuebook.example.com';
const PAGE = 'https://page.example.com';
const ISSUER = 'https://id.example.com';

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed = generateKeyPairSync('ed25519');
const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
const forEncryption = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const forOther = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const published = async (key: KeyObject, members: Partial<JWK>): Promise<JWK> => ({
  ...(await exportJWK(key)),
  ...members,
});
let keys: JWK[];
let reads = 0;
let answers: 'keys' | 'failure' | 'redirect' = 'keys';
let server: LoopbackServer;
let verify: (presented: Presented) => Promise<Caller>;
let http: ReturnType<typeof createHttpClient>;

const seconds = (): number => Math.floor(Date.now() / 1000);
const accessClaims = () => ({
  iss: ISSUER,
  aud: PUBLIC_URL,
  sub: 'ada',
  exp: seconds() + 300,
  org_id: 'acme',
  scope: 'playbook:read',
});
const sessionClaims = () => ({
  iss: ISSUER,
  azp: PAGE,
  sub: 'ada',
  exp: seconds() + 300,
  o: { id: 'acme', rol: 'none' },
});

function signed(
  claims: object,
  header: Partial<JWTHeaderParameters> = {},
  key: KeyObject = ec.privateKey,
): Promise<string> {
  return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'ec', ...header }).sign(key);
}

async function refusal(token: string, presented: Partial<Presented> = {}): Promise<string> {
  try {
    const caller = await verify({ token, origin: undefined, endpoint: undefined, ...presented });
    return `admitted as ${caller.id}`;
  } catch (error) {
    if (!(error instanceof Refused) || error.problem !== 'unauthenticated') throw error;
    return error.message.replace('The token was refused: ', '');
  }
}

describe.skipIf(certificates === undefined)('a token', () => {
  beforeEach(async () => {
    assert(certificates !== undefined);
    trust(certificates);
    [reads, answers] = [0, 'keys'];
    keys = [
      await published(ec.publicKey, { kid: 'ec', use: 'sig' }),
      await published(rsa.publicKey, { kid: 'rsa' }),
      await published(ed.publicKey, { kid: 'ed' }),
      await published(short.publicKey, { kid: 'short' }),
      await published(forEncryption.publicKey, { kid: 'enc', use: 'enc' }),
      await published(forOther.publicKey, { kid: 'ps', alg: 'PS256' }),
    ];
    server = await serveLoopback((_request, response) => {
      reads += 1;
      if (answers === 'redirect') response.writeHead(302, { location: `${ISSUER}/keys` }).end();
      else if (answers === 'failure') response.writeHead(500).end();
      else response.end(JSON.stringify({ keys }));
    }, certificates.pair);
    http = createHttpClient();
    verify = createTokenVerifier({
      service: { issuer: ISSUER, keySetUrl: new URL(`${server.address}/keys`), metadata: {}, keySet: { keys } },
      http,
      clock: systemClock,
      publicUrl: PUBLIC_URL,
      isAllowedOrigin: (origin) => origin === PAGE,
    });
  });
  afterEach(async () => {
    vi.useRealTimers();
    http.close();
    await server.close();
  });

  const admit = async (token: string, presented: Partial<Presented> = {}): Promise<Caller> =>
    verify({ token, origin: undefined, endpoint: undefined, ...presented });

  test('of either form makes a person of its org, with the permissions of its scopes or all', async () => {
    const agent = await admit(await signed({ ...accessClaims(), scope: 'openid user:org:read playbook:read' }));
    expect(agent).toMatchObject({ id: 'person:ada', form: 'access_token', org: 'acme', expiresAt: expect.any(Number) });
    expect([
      agent.may('playbook:read', 'acme', 'x'),
      agent.may('playbook:write', 'acme'),
      agent.may('playbook:read', 'globex'),
    ]).toEqual([true, false, false]);
    const page = await admit(await signed({ ...sessionClaims(), scope: 'none', org_id: 'globex' }), { origin: PAGE });
    expect(page).toMatchObject({ id: 'person:ada', form: 'session', org: 'acme' });
    expect([page.may('org:write', 'acme'), page.may('org:write', 'globex')]).toEqual([true, false]);
  });

  test('with an audience is an access token, whatever else it holds', async () => {
    expect(await admit(await signed({ ...sessionClaims(), ...accessClaims() }))).toMatchObject({
      form: 'access_token',
    });
  });

  test.each([undefined, '', 'openid', 'playbook:admin'])('with the scope %j has no permission', async (scope) => {
    const caller = await admit(await signed({ ...accessClaims(), scope }));
    expect([caller.org, caller.may('org:read', 'acme')]).toEqual(['acme', false]);
  });

  test.each([
    ['RS256', 'rsa', rsa.privateKey],
    ['PS256', 'ps', forOther.privateKey],
    ['EdDSA', 'ed', ed.privateKey],
    ['ES256', undefined, ec.privateKey],
  ])('signed with %s by the key %s is admitted', async (alg, kid, key) => {
    const header = kid === undefined ? { alg } : { alg, kid };
    const token = await new SignJWT(accessClaims()).setProtectedHeader(header).sign(key);
    expect(await admit(token)).toMatchObject({ id: 'person:ada' });
  });

  test.each(['at+jwt', 'Application/AT+JWT', 'jwt', 'JWT', 'application/jwt'])(
    'of the type %s is admitted',
    async (typ) => {
      expect(await admit(await signed(accessClaims(), { typ }))).toMatchObject({ id: 'person:ada' });
    },
  );

  const claim = (name: string) => `\`ERR_JWT_CLAIM_VALIDATION_FAILED\` on its \`${name}\` claim`;
  test.each<[string, () => object, string]>([
    ['another issuer', () => ({ iss: `${ISSUER}/` }), claim('iss')],
    ['no issuer', () => ({ iss: undefined }), claim('iss')],
    ['no expiry', () => ({ exp: undefined }), claim('exp')],
    ['an expiry 61 seconds ago', () => ({ exp: seconds() - 61 }), '`ERR_JWT_EXPIRED` on its `exp` claim'],
    ['a beginning in 62 seconds', () => ({ nbf: seconds() + 62 }), claim('nbf')],
    ['an issue in 62 seconds', () => ({ iat: seconds() + 62 }), claim('iat')],
    ['another audience', () => ({ aud: 'https://other.example.com' }), claim('aud')],
    ['the audience in another path', () => ({ aud: `${PUBLIC_URL}/other` }), claim('aud')],
    ['no audience in the list', () => ({ aud: [] }), claim('aud')],
    ['a null audience', () => ({ aud: null }), claim('aud')],
    ['no subject', () => ({ sub: undefined }), claim('sub')],
    ['an empty subject', () => ({ sub: '' }), claim('sub')],
    ['a subject of 257 bytes', () => ({ sub: 'é'.repeat(128) + 'x' }), claim('sub')],
    ['a control character in the subject', () => ({ sub: 'a\u0007' }), claim('sub')],
    ['half a surrogate pair in the subject', () => ({ sub: 'a\ud800' }), claim('sub')],
    ['a noncharacter in the subject', () => ({ sub: 'a\uffff' }), claim('sub')],
    ['a subject that is written backwards', () => ({ sub: 'a\u202egnp' }), claim('sub')],
    ['a mark of direction in the subject', () => ({ sub: 'a\u2066b' }), claim('sub')],
    ['a subject in a list', () => ({ sub: ['ada'] }), claim('sub')],
    ['the issuer in a list', () => ({ iss: [ISSUER] }), claim('iss')],
    ['an expiry that is a text', () => ({ exp: String(seconds() + 300) }), claim('exp')],
    ['an expiry in a list', () => ({ exp: [seconds() + 300] }), claim('exp')],
    ['a beginning that is a text', () => ({ nbf: '1' }), claim('nbf')],
    ['an issue that is a text', () => ({ iat: '1' }), claim('iat')],
    ['an org in a list', () => ({ org_id: ['acme'] }), 'its `org_id` claim is not an org id other than local'],
    ['no org', () => ({ org_id: undefined }), claim('org_id')],
    ['the local org', () => ({ org_id: 'local' }), 'its `org_id` claim is not an org id other than local'],
    ['an org with a slash', () => ({ org_id: 'a/b' }), 'its `org_id` claim is not an org id other than local'],
    [
      'an org that is an object',
      () => ({ org_id: { id: 'acme' } }),
      'its `org_id` claim is not an org id other than local',
    ],
    ['scopes in a list', () => ({ scope: ['playbook:read'] }), claim('scope')],
  ])('for a program with %s is refused', async (_name, broken, words) => {
    expect(await refusal(await signed({ ...accessClaims(), ...broken() }))).toBe(words);
  });

  test('may have expired or begin within a minute, and name a subject of 256 bytes', async () => {
    const claims = { exp: seconds() - 58, nbf: seconds() + 58, iat: seconds() + 58, sub: 'é'.repeat(128) };
    expect(await admit(await signed({ ...accessClaims(), ...claims }))).toMatchObject({ id: `person:${claims.sub}` });
  });

  test.each<[string, string | string[], string | undefined, boolean]>([
    ['a final slash', `${PUBLIC_URL}/`, undefined, true],
    ['two final slashes', `${PUBLIC_URL}//`, undefined, false],
    ['a list of which one fits', ['https://other.example.com', PUBLIC_URL], undefined, true],
    ['the endpoint', `${PUBLIC_URL}/orgs/acme/mcp`, '/orgs/acme/mcp', true],
    ['the endpoint, presented elsewhere', `${PUBLIC_URL}/orgs/acme/mcp`, undefined, false],
    ['another endpoint', `${PUBLIC_URL}/mcp`, '/orgs/acme/mcp', false],
    ['the server, at an endpoint', PUBLIC_URL, '/mcp', true],
  ])('whose audience is %s', async (_name, aud, endpoint, isAdmitted) => {
    const token = await signed({ ...accessClaims(), aud });
    expect(await refusal(token, { endpoint })).toBe(isAdmitted ? 'admitted as person:ada' : claim('aud'));
  });

  test.each<[string, object, string | undefined, string]>([
    ['no page', { azp: undefined }, PAGE, claim('azp')],
    ['a page that is not allowed', { azp: 'https://other.example.com' }, 'https://other.example.com', claim('azp')],
    ['no Origin', {}, undefined, 'the session was not presented by the page it was issued to'],
    ['another Origin', {}, PUBLIC_URL, 'the session was not presented by the page it was issued to'],
    ['no org', { o: undefined }, PAGE, claim('o')],
    ['an org that is a text', { o: 'acme' }, PAGE, 'its `o.id` claim is not an org id other than local'],
    ['an org without id', { o: {} }, PAGE, 'its `o.id` claim is not an org id other than local'],
    ['the local org', { o: { id: 'local' } }, PAGE, 'its `o.id` claim is not an org id other than local'],
    ['the org of an access token', { o: undefined, org_id: 'acme' }, PAGE, claim('o')],
  ])('for a page with %s is refused', async (_name, broken, origin, words) => {
    expect(await refusal(await signed({ ...sessionClaims(), ...broken }), { origin })).toBe(words);
  });

  describe('that is forged is refused:', () => {
    const code = (name: string) => `\`ERR_${name}\``;
    const publicPem = ec.publicKey.export({ type: 'spki', format: 'pem' }) as string;
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signEs256 = (input: string) =>
      sign('sha256', Buffer.from(input), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url');
    const byHand = (header: object, signInput: (input: string) => string) => {
      const input = `${part(header)}.${part(accessClaims())}`;
      return `${input}.${signInput(input)}`;
    };

    test.each<[string, () => Promise<string> | string, string]>([
      ['no algorithm', () => new UnsecuredJWT(accessClaims()).encode(), 'ERR'],
      [
        'the public key as a secret',
        () =>
          byHand({ alg: 'HS256', kid: 'ec' }, (input) =>
            createHmac('sha256', publicPem).update(input).digest('base64url'),
          ),
        code('JOSE_ALG_NOT_ALLOWED'),
      ],
      [
        'another algorithm',
        () => signed(accessClaims(), { alg: 'RS512', kid: 'rsa' }, rsa.privateKey),
        code('JOSE_ALG_NOT_ALLOWED'),
      ],
      [
        "a stranger's key",
        () => signed(accessClaims(), {}, stranger.privateKey),
        code('JWS_SIGNATURE_VERIFICATION_FAILED'),
      ],
      ['a short key', () => byHand({ alg: 'RS256', kid: 'short' }, () => 'AAAA'), 'ERR'],
      [
        'a key for encryption',
        () => signed(accessClaims(), { kid: 'enc' }, forEncryption.privateKey),
        code('JWKS_NO_MATCHING_KEY'),
      ],
      [
        'a key for another algorithm',
        () => signed(accessClaims(), { alg: 'RS256', kid: 'ps' }, forOther.privateKey),
        code('JWKS_NO_MATCHING_KEY'),
      ],
      [
        'a path as kid',
        () => signed(accessClaims(), { kid: '../../dev/null' }, stranger.privateKey),
        code('JWKS_NO_MATCHING_KEY'),
      ],
      [
        'several keys that fit',
        async () => {
          const token = await new SignJWT(accessClaims()).setProtectedHeader({ alg: 'RS256' }).sign(rsa.privateKey);
          return token;
        },
        code('JWKS_MULTIPLE_MATCHING_KEYS'),
      ],
      [
        'its own key in the header',
        async () => signed(accessClaims(), { jwk: await exportJWK(stranger.publicKey) }, stranger.privateKey),
        code('JWS_SIGNATURE_VERIFICATION_FAILED'),
      ],
      [
        'an address of keys in the header',
        () =>
          signed(
            accessClaims(),
            { jku: 'https://evil.example.com/keys', x5u: 'https://evil.example.com/cert', kid: 'evil' },
            stranger.privateKey,
          ),
        code('JWKS_NO_MATCHING_KEY'),
      ],
      [
        'the signature of another token',
        async () => {
          const [header, payload] = (await signed(accessClaims())).split('.');
          const other = (await signed({ ...accessClaims(), sub: 'eve' })).split('.')[2];
          return `${header}.${payload}.${other}`;
        },
        code('JWS_SIGNATURE_VERIFICATION_FAILED'),
      ],
      ['another type', () => signed(accessClaims(), { typ: 'id+jwt' }), claim('typ')],
      ...[['jwt'], { jwt: 1 }, null, 1, true, ''].map((typ): [string, () => string, string] => [
        `the type ${JSON.stringify(typ)}`,
        () => byHand({ alg: 'ES256', kid: 'ec', typ }, signEs256),
        claim('typ'),
      ]),
      ...[['ec'], { ec: 1 }, null, 1].map((kid): [string, () => string, string] => [
        `the kid ${JSON.stringify(kid)}`,
        () => byHand({ alg: 'ES256', kid }, signEs256),
        code('JWKS_NO_MATCHING_KEY'),
      ]),
      ['an algorithm in a list', () => byHand({ alg: ['ES256'], kid: 'ec' }, signEs256), 'ERR'],
      ['an encoding of its own', () => byHand({ alg: 'ES256', kid: 'ec', b64: 'x' }, signEs256), claim('b64')],
      ['no encoding', () => byHand({ alg: 'ES256', kid: 'ec', b64: false, crit: ['b64'] }, signEs256), 'ERR'],
      ['critical extensions that are a text', () => byHand({ alg: 'ES256', kid: 'ec', crit: 'b64' }, signEs256), 'ERR'],
      ['no critical extensions', () => byHand({ alg: 'ES256', kid: 'ec', crit: [] }, signEs256), 'ERR'],
      ['a critical extension', () => byHand({ alg: 'ES256', kid: 'ec', crit: ['x'], x: 1 }, () => 'AAAA'), 'ERR'],
      ['no dots', () => 'opaque', code('JWS_INVALID')],
      ['over 8 KiB', async () => signed({ ...accessClaims(), more: 'x'.repeat(8192) }), 'it has more than 8192 bytes'],
    ])('%s', async (_name, make, words) => {
      const message = await refusal(await make());
      expect(message).toContain(words);
      expect(message).not.toMatch(/evil|opaque|xxx|admitted/);
    });
  });

  describe('and the key set', () => {
    const at = (secondsLater: number) => vi.setSystemTime(start + secondsLater * 1000);
    let start: number;
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['Date'] });
      start = Date.now();
    });
    const withNewKey = async () => {
      keys = [...keys, await published(stranger.publicKey, { kid: 'new' })];
      return signed(accessClaims(), { kid: 'new' }, stranger.privateKey);
    };

    test('an unknown key is looked for once a minute has passed since the last read', async () => {
      const token = await withNewKey();
      at(59);
      expect(await refusal(token)).toContain('JWKS_NO_MATCHING_KEY');
      expect(reads).toBe(0);
      at(61);
      expect(await refusal(token)).toBe('admitted as person:ada');
      expect(await refusal(await signed(accessClaims(), { kid: 'none' }))).toContain('JWKS_NO_MATCHING_KEY');
      expect(reads).toBe(1);
    });

    test('an unknown key is not looked for again right after a failure, whatever the tokens name', async () => {
      answers = 'failure';
      at(61);
      for (const kid of ['a', 'b', 'c']) expect(await refusal(await signed(accessClaims(), { kid }))).toMatch(/^`ERR_/);
      expect(reads).toBe(1);
      answers = 'keys';
      const token = await withNewKey();
      at(67);
      expect(await refusal(token)).toBe('admitted as person:ada');
      expect(reads).toBe(2);
    });

    test('is read again when the clock was set back, because a removed key could be trusted for longer', async () => {
      keys = keys.filter(({ kid }) => kid !== 'ec');
      at(-3600);
      expect(await refusal(await signed(accessClaims()))).toContain('JWKS_NO_MATCHING_KEY');
      expect(reads).toBe(1);
    });

    test.each(['failure', 'redirect'] as const)(
      'a %s on looking for an unknown key leaves the others in use',
      async (answer) => {
        const token = await withNewKey();
        answers = answer;
        at(61);
        expect(await refusal(token)).toMatch(/^`ERR_/);
        expect(await refusal(await signed(accessClaims()))).toBe('admitted as person:ada');
      },
    );

    test('a removed key is trusted ten minutes at most', async () => {
      keys = keys.filter(({ kid }) => kid !== 'ec');
      at(599);
      expect(await refusal(await signed(accessClaims()))).toBe('admitted as person:ada');
      at(601);
      expect(await refusal(await signed(accessClaims()))).toContain('JWKS_NO_MATCHING_KEY');
    });

    test('that cannot be read after ten minutes refuses every token, until it can', async () => {
      answers = 'failure';
      at(601);
      expect(await refusal(await signed(accessClaims()))).toBe('`ERR_JOSE_GENERIC`');
      answers = 'keys';
      at(607);
      expect(await refusal(await signed(accessClaims()))).toBe('admitted as person:ada');
    });
  });
});
