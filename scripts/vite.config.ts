// Builds the server and the desktop app, one part at a time. Vite's mode selects the part:
//   server         every module as a separate file in the same folders as the sources, so that relative paths stay valid
//   server-bundle  a few files, including npm packages, for `npm start` and the tests: they start in half the CPU time
//   app            the main process as one file, including npm packages
//   preload        the preload script, which must be CommonJS
import { globSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const MODULE_URL = /new URL\(['"]([^'"]+\.ts)['"], import\.meta\.url\)/g;

/** @throws Error if a module that is started by its URL would not be built */
function requireEntry(module: string): void {
  const entry = path.relative(ROOT, module).replaceAll(path.sep, '/');
  if (!SERVER_ENTRIES.includes(entry)) throw new Error(`${entry} is started by its URL; add it to SERVER_ENTRIES.`);
}

/** Replaces `.ts` by `.js` in the URLs of workers and other modules that are started by URL. */
const builtUrls: Plugin = {
  name: 'built-urls',
  transform(code, id) {
    if (!id.endsWith('.ts') || !code.includes('import.meta.url')) return null;
    const built = code.replaceAll(MODULE_URL, (_, module: string) => {
      requireEntry(path.resolve(path.dirname(id), module));
      return `new URL('${module.replace(/\.ts$/, '.js')}', import.meta.url)`;
    });
    return built === code ? null : { code: built, map: null };
  },
};

/** The folder of the bundle. It has no folders in it, so a file is found from any other by its name. */
const BUNDLE = `${ROOT}dist/server`;

/** Replaces the URLs of modules by those in the bundle, and every other `import.meta.url` by the URL of the source. */
const bundleUrls: Plugin = {
  name: 'bundle-urls',
  transform(code, id) {
    if (!id.endsWith('.ts') || !code.includes('import.meta.url')) return null;
    const source = path.relative(BUNDLE, id).replaceAll(path.sep, '/');
    const built = code.replaceAll(
      new RegExp(`${MODULE_URL.source}|import\\.meta\\.url`, 'g'),
      (_, relative: string | undefined) => {
        if (relative === undefined) return `new URL('${source}', import.meta.url).href`;
        const module = path.resolve(path.dirname(id), relative);
        requireEntry(module);
        return `new URL('./${bundleName(module)}.js', import.meta.url)`;
      },
    );
    return { code: built, map: null };
  },
};

/** The name of a module's file in the bundle, without its extension. */
function bundleName(module: string): string {
  return path.relative(ROOT, module).replaceAll(path.sep, '.').replace(/\.ts$/, '');
}

/** Packages that the server loads on demand are no part of its start. */
const lazyPackages: Plugin = {
  name: 'lazy-packages',
  resolveDynamicImport: (specifier) =>
    typeof specifier === 'string' && /^[@a-z]/.test(specifier) ? { id: specifier, external: true } : null,
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
    case 'server-bundle':
      return {
        plugins: [bundleUrls, lazyPackages],
        ssr: { noExternal: true, external: ['better-sqlite3'] },
        build: {
          ...common,
          outDir: BUNDLE,
          emptyOutDir: true,
          ssr: true,
          rolldownOptions: {
            input: Object.fromEntries(
              SERVER_ENTRIES.map((entry) => [bundleName(`${ROOT}${entry}`), `${ROOT}${entry}`]),
            ),
            output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
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
      throw new Error(`Unknown mode ${JSON.stringify(mode)}; use server, server-bundle, app or preload.`);
  }
}

/** The modules that are loaded by URL: the server, its workers and processes, and the jobs of the text workers. */
const SERVER_ENTRIES = [
  'server/main.ts',
  'server/lib/text-work/text-worker.ts',
  'server/lib/sandbox/worker.ts',
  'server/lib/schemas/check-worker.ts',
  'server/lib/jq/worker.ts',
  'server/lib/forecast/forecast-worker.ts',
  'server/lib/onnx/model-child.ts',
  ...globSync('server/**/*.job.ts', { cwd: ROOT }),
];

export default defineConfig(({ mode }) => ({ root: ROOT, logLevel: 'warn', ...partOf(mode) }));
