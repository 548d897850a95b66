// Bundles the server into dist/server, unless the bundle there is newer than all sources. Tests start it as a process.
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build-if-stale.ts';

/** @returns the path of the program */
export function buildServer(): Promise<string> {
  return buildIfStale({
    name: 'the server',
    result: 'dist/server/server.main.js',
    sources: ['server', 'shared', 'scripts/vite.config.ts', 'package-lock.json'],
    async build() {
      const { build } = await import('vite');
      const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url));
      await build({ configFile, mode: 'server-bundle' });
    },
  });
}
