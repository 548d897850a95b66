// The product's names and addresses. All other code takes them from here.

export const PROBLEM_BASE = 'https://cuebook.dev/problems';
export const SCHEMA_BASE = 'https://cuebook.dev/schemas';

/** The product's name in commands, packages and expressions (`$runtime.name`). */
export const PRODUCT = 'cuebook';

/** The org of a server in local mode, and of requests that name no org. */
export const LOCAL_ORG = 'local';

export const KIB = 1024;
export const MIB = 1024 * KIB;
