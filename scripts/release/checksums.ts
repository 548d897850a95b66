import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The file of a release that lists the others; `sha256sum --check SHA256SUMS` reads it. */
export const CHECKSUMS = 'SHA256SUMS';

/** Writes the checksums of the files of a folder, by name, into it. @returns the names */
export function writeChecksums(folder: string): string[] {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== CHECKSUMS)
    .map(({ name }) => name)
    .toSorted();
  const lines = names.map((name) => {
    const digest = createHash('sha256').update(readFileSync(path.join(folder, name)));
    return `${digest.digest('hex')}  ${name}\n`;
  });
  writeFileSync(path.join(folder, CHECKSUMS), lines.join(''));
  return names;
}
