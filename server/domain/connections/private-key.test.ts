import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { readPrivateKey } from './private-key.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const own = privateKey.export({ format: 'jwk' });
const jwk = (more: JsonObject = {}): string => JSON.stringify({ ...own, ...more });

test('a JWK gives its key, and the id by which the issuer finds it', () => {
  const read = readPrivateKey(` ${jwk({ kid: 'one', alg: 'ES256' })}\n`, 'ES256');
  expect(read).toMatchObject({ ok: true, key: { id: 'one' } });
  expect(read.ok && read.key.key.equals(privateKey)).toBe(true);
});

test.each([
  ['a public key', JSON.stringify(publicKey.export({ format: 'jwk' })), 'private_key', /public key.*has `d`/],
  ['a set of keys', JSON.stringify({ keys: [own] }), 'private_key', /set of keys/],
  ['a key for encryption', jwk({ use: 'enc' }), 'private_key', /for encryption/],
  ['a key of another algorithm', jwk({ alg: 'ES384' }), 'algorithm', /another algorithm in `alg`/],
  ['a key of another curve', jwk({ crv: 'P-384' }), 'private_key', /PEM form without a password, or as a JWK/],
  ['a shared secret', '{"kty":"oct","k":"c2VjcmV0LW9mLXR3bw"}', 'private_key', /not a private key/],
  ['JSON that does not parse', '{"kty":', 'private_key', /not a private key/],
  ['a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'private_key', /not a private key/],
])('%s is refused, and no part of it is repeated', (_what, given, field, detail) => {
  const read = readPrivateKey(given, 'ES256');
  expect(read).toMatchObject({ ok: false, field, detail: expect.stringMatching(detail) });
  expect(JSON.stringify(read)).not.toContain(String(own.x));
});
