// Which licenses a shipped package may have: those that ask for their text and nothing else of a program that contains them.
import satisfies from 'spdx-satisfies';

const ALLOWED = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/** @throws Error with a sentence for each package whose license is not allowed */
export function requireAllowed(packages: readonly { name: string; license: string | undefined }[]): void {
  const refusals = packages.flatMap(({ name, license }) => refusalOf(name, license) ?? []);
  if (refusals.length > 0) throw new Error(refusals.join('\n'));
}

/** @returns what is wrong with the license, as a sentence; undefined if it is allowed */
function refusalOf(name: string, license: string | undefined): string | undefined {
  if (license === undefined) return `${name} names no license in its package.json; use another package.`;
  return isAllowed(license)
    ? undefined
    : `${name} has the license ${JSON.stringify(license)}. Allowed are ${ALLOWED.join(', ')}; use another package, or add the license to scripts/licenses/allowed-licenses.ts after reading it.`;
}

/** @param license an SPDX expression: of `A OR B` one must be allowed, of `A AND B` both */
function isAllowed(license: string): boolean {
  try {
    return satisfies(license, ALLOWED);
  } catch {
    // Not an SPDX expression: `SEE LICENSE IN x`, `UNLICENSED`, `Custom`.
    return false;
  }
}
