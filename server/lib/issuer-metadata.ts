// Where an issuer of OAuth tokens publishes its metadata, and how much of it is read: connections get tokens from an issuer,
// and a published server verifies those that people sign in with.

/** How long an issuer may take to answer, in milliseconds, and how much it may send. */
export const ISSUER_BOUNDS = { deadline: 10_000, maxBytes: 64 * 1024 } as const;

/**
 * The addresses to read in this order: that of RFC 8414, section 3.1, which puts the path of the issuer after the
 * well-known part, then that of OpenID Connect Discovery 1.0, section 4, which puts it before.
 * @param issuer an absolute URL
 * @throws TypeError for anything else
 */
export function metadataPlaces(issuer: string): [URL, URL] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    new URL(`${origin}/.well-known/oauth-authorization-server${path}`),
    new URL(`${origin}${path}/.well-known/openid-configuration`),
  ];
}
