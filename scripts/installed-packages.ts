// The packages that are installed beside the bundle of the server: its dependencies, its optional peers, and what these need.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PublisherFields } from './release/publisher.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Manifest extends PublisherFields {
  version: string;
  files: readonly string[];
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
}

interface Locked {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

export const MANIFEST = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as Manifest;

/** Names of the packages that the bundle imports. */
export const INSTALLED = [...Object.keys(MANIFEST.dependencies), ...Object.keys(MANIFEST.peerDependencies)];

/** What only the install script of onnxruntime-node needs, which is not run. */
const ONLY_INSTALLING = ['adm-zip', 'global-agent'];

/**
 * The folders of packages and of all that they need, relative to the root of the repository: `node_modules/fastify`.
 * Packages for other platforms, which are only in the lock file, are left out.
 */
export function foldersOf(names: readonly string[]): string[] {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const found = new Set<string>();
  /** Looks for a package as Node does: in the folder, then in those above it. */
  function add(name: string, from: string): void {
    const folder = `${from}${from === '' ? '' : '/'}node_modules/${name}`;
    const locked = packages[folder];
    if (locked === undefined) {
      if (from !== '') add(name, from.slice(0, Math.max(from.lastIndexOf('/node_modules/'), 0)));
      return;
    }
    if (found.has(folder) || !existsSync(path.join(ROOT, folder))) return;
    found.add(folder);
    for (const needed of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })) {
      if (!ONLY_INSTALLING.includes(needed)) add(needed, folder);
    }
  }
  for (const name of names) add(name, '');
  return [...found].toSorted();
}
