// An identity service over TLS that signs whatever token a test wants.
import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { exportJWK, SignJWT } from 'jose';
import { type Certificates, serveLoopback } from '../../test/index.ts';

export interface SessionIssuer {
  issuer: string;
  /** A token with these claims. Others are those of a person, `ada`, whose token expires in five minutes. */
  sign: (claims: object) => Promise<string>;
  close: () => Promise<void>;
}

/** @param answer handles requests for anything but the metadata and the keys; default: they are not found */
export async function serveSessionIssuer(
  { pair }: Certificates,
  answer: RequestListener = (_request, response) => void response.writeHead(404).end(),
): Promise<SessionIssuer> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = await exportJWK(publicKey);
  const server = await serveLoopback((request, response) => {
    const { address: issuer } = server;
    const published: Record<string, object> = {
      '/.well-known/oauth-authorization-server': { issuer, jwks_uri: `${issuer}/keys` },
      '/keys': { keys: [jwk] },
    };
    const document = published[request.url ?? ''];
    if (document === undefined) answer(request, response);
    else response.end(JSON.stringify(document));
  }, pair);
  return {
    issuer: server.address,
    sign(claims) {
      const common = { iss: server.address, sub: 'ada', exp: Math.floor(Date.now() / 1000) + 300 };
      return new SignJWT({ ...common, ...claims }).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
    },
    close: () => server.close(),
  };
}
