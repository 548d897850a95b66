export const CONNECTION_KINDS = ['mcp', 'openapi'] as const;

export const CONNECTION_STATUSES = ['pending', 'connected', 'broken', 'removed'] as const;

export const CREDENTIAL_KINDS = ['none', 'secret', 'reference', 'client_credentials'] as const;

/** Where a credential is sent. `security` is a security scheme of the OpenAPI document. */
export const CREDENTIAL_PLACES = ['header', 'query', 'security'] as const;

/** The signature algorithms of private keys (RFC 7518, section 3.1, and RFC 8037). */
export const KEY_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const;
