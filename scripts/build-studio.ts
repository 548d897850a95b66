// Builds the studio into dist/studio, unless the build there is newer than all sources.
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build-if-stale.ts';

export async function buildStudio(): Promise<void> {
  await buildIfStale({
    name: 'the studio',
    result: 'dist/studio/index.html',
    sources: ['renderer', 'shared', 'resources/samples', 'resources/schemas', 'package-lock.json'],
    async build() {
      const { build } = await import('vite');
      const configFile = fileURLToPath(new URL('../renderer/vite.config.ts', import.meta.url));
      await build({ configFile, logLevel: 'warn' });
    },
  });
}

if (import.meta.main) await buildStudio();
