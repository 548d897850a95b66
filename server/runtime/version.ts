import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export const VERSION = manifest.version;

/** The commit of which the bundle was built; undefined where the sources run. */
const COMMIT = process.env.CUEBOOK_COMMIT;

/** The version and, in a bundle, the commit: `0.1.0 (3dbfb15ce2a1)`. */
export const FULL_VERSION = COMMIT === undefined || COMMIT === '' ? VERSION : `${VERSION} (${COMMIT})`;
