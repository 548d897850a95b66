// Builds the desktop app, one part at a time. Vite's mode selects the part:
//   server   every module as a separate file in the same folders as the sources, so that relative paths stay valid
//   app      the main process as one file, including npm packages
//   preload  the preload script, which must be CommonJS
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Replaces `.ts` by `.js` in the URLs of workers and other modules that are started by URL. */
const builtUrls: Plugin = {
  name: 'built-urls',
  transform(code, id) {
    if (!id.endsWith('.ts') || !code.includes('import.meta.url')) return null;
    const built = code.replaceAll(/(new URL\(['"][^'"]+)\.ts(['"], import\.meta\.url\))/g, '$1.js$2');
    return built === code ? null : { code: built, map: null };
  },
};

function partOf(mode: string): UserConfig {
  const common = { outDir: `${ROOT}dist/desktop`, emptyOutDir: false, target: 'node24', minify: false } as const;
  switch (mode) {
    case 'server':
      return {
        plugins: [builtUrls],
        build: {
          ...common,
          ssr: true,
          rolldownOptions: {
            input: SERVER_ENTRIES.map((entry) => `${ROOT}${entry}`),
            output: { format: 'esm', preserveModules: true, preserveModulesRoot: ROOT, entryFileNames: '[name].js' },
          },
        },
      };
    case 'app':
      return {
        ssr: { noExternal: true, external: ['electron'] },
        build: {
          ...common,
          ssr: `${ROOT}electron/main.ts`,
          rolldownOptions: {
            external: ['electron'],
            output: { format: 'esm', entryFileNames: 'electron/main.js', codeSplitting: false },
          },
        },
      };
    case 'preload':
      return {
        ssr: { noExternal: true, external: ['electron'] },
        build: {
          ...common,
          ssr: `${ROOT}electron/preload.ts`,
          rolldownOptions: {
            external: ['electron'],
            output: { format: 'cjs', entryFileNames: 'electron/preload.cjs', codeSplitting: false },
          },
        },
      };
    default:
      throw new Error(`Unknown mode ${JSON.stringify(mode)}; use server, app or preload.`);
  }
}

/** The modules that are loaded by URL: the server, its workers, and the jobs of the text workers. */
const SERVER_ENTRIES = [
  'server/main.ts',
  'server/lib/text-work/text-worker.ts',
  'server/lib/sandbox/worker.ts',
  'server/lib/schemas/check-worker.ts',
  'server/lib/jq/worker.ts',
  ...globSync('server/**/*.job.ts', { cwd: ROOT }),
];

export default defineConfig(({ mode }) => ({ root: ROOT, logLevel: 'warn', ...partOf(mode) }));
