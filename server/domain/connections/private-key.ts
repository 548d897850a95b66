// The private key of a client, in PEM form or as a JSON Web Key (RFC 7517).
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import type { KEY_ALGORITHMS } from '../../../shared/connection-kinds.ts';

export type KeyAlgorithm = (typeof KEY_ALGORITHMS)[number];

interface PrivateKey {
  key: KeyObject;
  /** The `kid` of a JSON Web Key: issuers find the public key by it. */
  id?: string;
}

type KeyReading = { ok: true; key: PrivateKey } | { ok: false; field: 'private_key' | 'algorithm'; detail: string };

/** Messages never contain the input. */
export function readPrivateKey(text: string, algorithm: KeyAlgorithm): KeyReading {
  const jwk = text.trimStart().startsWith('{') ? jwkOf(text) : undefined;
  const refused = jwk === undefined ? undefined : jwkIssue(jwk, algorithm);
  if (refused !== undefined) return { ok: false, ...refused };
  const key = importKey(jwk ?? text);
  if (key === undefined) {
    const detail = 'This is not a private key in PEM form without a password, or as a JWK.';
    return { ok: false, field: 'private_key', detail };
  }
  if (!fits(key, algorithm)) {
    return { ok: false, field: 'algorithm', detail: 'The private key does not fit this algorithm.' };
  }
  const id = jwk?.['kid'];
  return { ok: true, key: typeof id === 'string' ? { key, id } : { key } };
}

function jwkOf(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function jwkIssue(
  jwk: JsonObject,
  algorithm: KeyAlgorithm,
): { field: 'private_key' | 'algorithm'; detail: string } | undefined {
  const { kty, d, alg, use, keys } = jwk;
  if (keys !== undefined) {
    return { field: 'private_key', detail: 'This is a set of keys; send one private key as a JWK.' };
  }
  if (kty !== undefined && kty !== 'oct' && d === undefined) {
    return { field: 'private_key', detail: 'This JWK is a public key; send the private key, whose JWK has `d`.' };
  }
  if (use === 'enc') {
    return { field: 'private_key', detail: 'This JWK is for encryption (`use`); send a signing key.' };
  }
  if (alg !== undefined && alg !== algorithm) {
    return { field: 'algorithm', detail: 'The JWK names another algorithm in `alg`; choose that algorithm.' };
  }
  return undefined;
}

function importKey(given: JsonObject | string): KeyObject | undefined {
  try {
    return createPrivateKey(typeof given === 'string' ? given : { key: given, format: 'jwk' });
  } catch {
    return undefined;
  }
}

const CURVES: Readonly<Record<string, string>> = { ES256: 'prime256v1', ES384: 'secp384r1', ES512: 'secp521r1' };
const LEAST_RSA_BITS = 2048;

function fits({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject, algorithm: KeyAlgorithm): boolean {
  switch (algorithm) {
    case 'RS256':
    case 'PS256':
      return type === 'rsa' && (details?.modulusLength ?? 0) >= LEAST_RSA_BITS;
    case 'EdDSA':
      return type === 'ed25519';
    default:
      return type === 'ec' && details?.namedCurve === CURVES[algorithm];
  }
}
