// Builds the server and the desktop app, one part at a time. Vite's mode selects the part:
//   server   a few files, including npm packages: they start in half the CPU time of the sources
//   app      the main process as one file, including npm packages
//   preload  the preload script, which must be CommonJS
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { foldersOf, INSTALLED } from './installed-packages.ts';
import { createPackageRecorder } from './licenses/record-packages.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const MODULE_URL = /new URL\(['"]([^'"]+\.ts)['"], import\.meta\.url\)/g;

/** @throws Error if a module that is started by its URL would not be built */
function requireEntry(module: string): void {
  const entry = path.relative(ROOT, module).replaceAll(path.sep, '/');
  if (!SERVER_ENTRIES.includes(entry)) throw new Error(`${entry} is started by its URL; add it to SERVER_ENTRIES.`);
}

/** The folder of the bundle. It has no folders in it, so a file is found from any other by its name. */
const BUNDLE = `${ROOT}dist/server`;

/** A WebAssembly module of a package, which the bundle contains as a file of its own. */
const WASM = /createRequire\(import\.meta\.url\)\.resolve\(['"]([^'"]+[./]wasm)['"]\)/g;

/** Replaces the URLs of modules by those in the bundle, and every other `import.meta.url` by the URL of the source. */
const bundleUrls: Plugin = {
  name: 'bundle-urls',
  transform(code, id) {
    if (!id.endsWith('.ts') || !code.includes('import.meta.url')) return null;
    const source = path.relative(BUNDLE, id).replaceAll(path.sep, '/');
    const withWasm = code.replaceAll(WASM, (_, specifier: string) => {
      const fileName = `${specifier
        .replaceAll(/[^a-z]+/g, '-')
        .replace(/^-/, '')
        .replace(/-wasm$/, '')}.wasm`;
      const file = createRequire(import.meta.url).resolve(specifier);
      this.emitFile({ type: 'asset', fileName, source: readFileSync(file) });
      return `new URL('./${fileName}', IN_BUNDLE)`;
    });
    const built = withWasm.replaceAll(
      new RegExp(`${MODULE_URL.source}|import\\.meta\\.url`, 'g'),
      (_, relative: string | undefined) => {
        if (relative === undefined) return `new URL('${source}', import.meta.url).href`;
        const module = path.resolve(path.dirname(id), relative);
        requireEntry(module);
        return `new URL('./${bundleName(module)}.js', import.meta.url)`;
      },
    );
    return { code: built.replaceAll('IN_BUNDLE', 'import.meta.url'), map: null };
  },
};

/** The name of a module's file in the bundle, without its extension. */
function bundleName(module: string): string {
  return path.relative(ROOT, module).replaceAll(path.sep, '.').replace(/\.ts$/, '');
}

/** The commit that is built, with `-dirty` if files differ from it; empty without git. */
function commit(): string {
  const { status, stdout } = spawnSync('git', ['describe', '--always', '--abbrev=12', '--dirty', '--exclude', '*'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : '';
}

function partOf(mode: string): UserConfig {
  const common = { outDir: `${ROOT}dist/desktop`, emptyOutDir: false, target: 'node22', minify: false } as const;
  switch (mode) {
    case 'server':
      return {
        plugins: [bundleUrls, createPackageRecorder(foldersOf(INSTALLED)).inBuild],
        define: { 'process.env.CUEBOOK_COMMIT': JSON.stringify(commit()) },
        ssr: { noExternal: true, external: INSTALLED },
        build: {
          ...common,
          outDir: BUNDLE,
          emptyOutDir: true,
          ssr: true,
          ssrEmitAssets: true,
          rolldownOptions: {
            input: Object.fromEntries(
              SERVER_ENTRIES.map((entry) => [bundleName(`${ROOT}${entry}`), `${ROOT}${entry}`]),
            ),
            output: {
              format: 'esm',
              entryFileNames: '[name].js',
              chunkFileNames: '[name]-[hash].js',
              // A third of the size; names stay, for stack traces.
              minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
            },
          },
        },
      };
    case 'app':
      return {
        plugins: [createPackageRecorder().inBuild],
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

/** The server, what programs import, and the modules that are loaded by URL: workers, processes, jobs of the text workers. */
const SERVER_ENTRIES = [
  'server/main.ts',
  'server/library/index.ts',
  'server/library/client.ts',
  'server/lib/text-work/text-worker.ts',
  'server/lib/sandbox/worker.ts',
  'server/lib/schemas/check-worker.ts',
  'server/lib/jq/worker.ts',
  'server/lib/forecast/forecast-worker.ts',
  'server/kernel/log/sqlite/writer-thread.ts',
  'server/lib/onnx/model-child.ts',
  ...globSync('server/**/*.job.ts', { cwd: ROOT }),
];

export default defineConfig(({ mode }) => ({ root: ROOT, logLevel: 'warn', ...partOf(mode) }));
