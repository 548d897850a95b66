// The product's names and addresses; nothing else spells them out.

export const PROBLEM_BASE = 'https://cuebook.dev/problems';
export const SCHEMA_BASE = 'https://cuebook.dev/schemas';

/** The product's name, as commands, packages and expressions (`$runtime.name`) know it. */
export const PRODUCT = 'cuebook';

/** The org of a laptop: what a request that names no org acts in. */
export const LOCAL_ORG = 'local';

export const KIB = 1024;
export const MIB = 1024 * KIB;
