// Which npm packages users get: those in the bundles, as the builds recorded them, and those that are installed beside them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { foldersOf, MANIFEST } from '../installed-packages.ts';
import { type LicensedPackage, readPackage } from './read-package.ts';
import { RECORD } from './record-packages.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Where a package is: in one of three bundles, installed with Cuebook, or added by those who need it. */
export const PARTS = ['server', 'studio', 'desktop', 'installed', 'optional'] as const;
export type Part = (typeof PARTS)[number];

export interface ShippedPackage extends LicensedPackage {
  parts: Part[];
}

/** Packages of the built bundles, by name and version. */
export function shippedPackages(): ShippedPackage[] {
  const byName = new Map<string, ShippedPackage>();
  for (const part of PARTS) {
    for (const folder of foldersIn(part)) {
      const read = readPackage(folder);
      const key = `${read.name}@${read.version}`;
      const known = byName.get(key) ?? { ...read, parts: [] };
      // npm may have placed the same version in several folders.
      if (!known.parts.includes(part)) known.parts.push(part);
      byName.set(key, known);
    }
  }
  return [...byName.values()].toSorted((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

function foldersIn(part: Part): string[] {
  switch (part) {
    case 'server':
    case 'studio':
    case 'desktop':
      return JSON.parse(readFileSync(path.join(ROOT, 'dist', part, RECORD), 'utf8')) as string[];
    case 'installed':
      return foldersOf(Object.keys(MANIFEST.dependencies));
    case 'optional':
      return foldersOf(Object.keys(MANIFEST.peerDependencies));
  }
}
