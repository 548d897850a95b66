// Builds what the desktop app runs, one part at a time, named by Vite's mode:
//   server   every module as a file of its own, where it stands among the sources: paths between them stay true
//   app      the app's own process as one file, what it needs of npm included
//   preload  what runs in the page's sandbox, which takes CommonJS alone
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Modules that are started by their address have a name of their own once they are built. */
const builtAddresses: Plugin = {
  name: 'built-addresses',
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
        plugins: [builtAddresses],
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
      throw new Error(`There is no part ${JSON.stringify(mode)}; there are server, app and preload.`);
  }
}

/** What is loaded by its address: the server, its workers, and the jobs of text work. */
const SERVER_ENTRIES = [
  'server/main.ts',
  'server/lib/text-work/text-worker.ts',
  'server/lib/sandbox/worker.ts',
  'server/lib/schemas/check-worker.ts',
  'server/lib/jq/worker.ts',
  ...globSync('server/**/*.job.ts', { cwd: ROOT }),
];

export default defineConfig(({ mode }) => ({ root: ROOT, logLevel: 'warn', ...partOf(mode) }));
