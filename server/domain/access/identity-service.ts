// The identity service that signs people in: its metadata and its key set, which are read once before the server
// accepts requests.
import type { JSONWebKeySet } from 'jose';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { readIssuerBody } from '../../lib/client-credentials.ts';
import type { HttpClient } from '../../lib/http-client/index.ts';
import { ISSUER_BOUNDS, metadataPlaces } from '../../lib/issuer-metadata.ts';
import { SettingsError } from '../../settings/index.ts';

/** The identity service cannot be used; the message names it, and each address that was read. */
class UnusableIdentityServiceError extends SettingsError {
  constructor(issuer: string, faults: readonly string[], read: readonly URL[]) {
    const addresses = read.map(({ href }) => href).join(', ');
    super(
      `UnusableIdentityServiceError: the identity service ${issuer} (IDENTITY_ISSUER) cannot be used. ${faults.join(' ')} Addresses read: ${addresses}.`,
    );
    this.name = 'UnusableIdentityServiceError';
  }
}

export interface IdentityService {
  issuer: string;
  keySetUrl: URL;
  keySet: JSONWebKeySet;
  /** The rest of the metadata is not checked. */
  metadata: JsonObject;
}

const HEADERS = { accept: 'application/json' };

/** @throws UnusableIdentityServiceError */
export async function readIdentityService(issuer: string, http: Pick<HttpClient, 'send'>): Promise<IdentityService> {
  const faults: string[] = [];
  const addresses: URL[] = [];

  /** The JSON object at an address; undefined, with a fault, if there is none. A redirect is one. */
  async function read(url: URL): Promise<JsonObject | undefined> {
    addresses.push(url);
    const answer = await http.send({ method: 'GET', url, headers: HEADERS }, ISSUER_BOUNDS);
    if (answer.kind === 'failed') faults.push(`${url.href} could not be read: ${answer.detail}`);
    else if (answer.status !== 200) faults.push(`${url.href} returned HTTP ${answer.status}.`);
    else {
      const value = readIssuerBody(answer.body);
      if (value !== undefined) return value;
      faults.push(`${url.href} returned no JSON object.`);
    }
    return undefined;
  }

  /** The metadata at an address, and where it says that the key set is. */
  async function readMetadata(url: URL): Promise<Pick<IdentityService, 'keySetUrl' | 'metadata'> | undefined> {
    const metadata = await read(url);
    if (metadata === undefined) return undefined;
    const { issuer: named, jwks_uri: place } = metadata;
    if (named !== issuer) {
      faults.push(`${url.href} names another issuer.`);
      return undefined;
    }
    const found = typeof place === 'string' ? URL.parse(place) : null;
    if (found?.protocol === 'https:') return { keySetUrl: found, metadata };
    faults.push(`${url.href} names no https \`jwks_uri\`.`);
    return undefined;
  }

  const [first, second] = metadataPlaces(issuer);
  const found = (await readMetadata(first)) ?? (await readMetadata(second));
  if (found === undefined) throw new UnusableIdentityServiceError(issuer, faults, addresses);
  const { keySetUrl, metadata } = found;
  const keySet = await read(keySetUrl);
  if (keySet === undefined) throw new UnusableIdentityServiceError(issuer, faults, addresses);
  const { keys } = keySet;
  if (!Array.isArray(keys) || !keys.every(isJsonObject) || !keys.some(isKey)) {
    throw new UnusableIdentityServiceError(issuer, [...faults, `${keySetUrl.href} holds no key.`], addresses);
  }
  return { issuer, keySetUrl, keySet: { keys }, metadata };
}

/** A member of a key set without a type is no key (RFC 7517, section 4.1). */
function isKey({ kty }: JsonObject): boolean {
  return typeof kty === 'string';
}
