import path from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { parse } from 'yaml';
import { createPackageRecorder } from '../scripts/licenses/record-packages.ts';

const ROOT = fileURLToPath(new URL('.', import.meta.url));

/** The address of the service to which `npm run studio` forwards requests. */
const SERVICE = process.env['CUEBOOK_SERVICE'] ?? 'http://127.0.0.1:4747';

/** Imports a YAML file as its value. */
const yaml: Plugin = {
  name: 'yaml',
  transform: { filter: { id: /\.yaml$/ }, handler: (code) => `export default ${JSON.stringify(parse(code))}` },
};

/**
 * Imports the styles of each Mantine component with the component, so that a page loads only the styles that it needs. The
 * development server imports all styles, since Vite bundles the components there in advance.
 */
const componentStyles = (isBuilding: boolean): Plugin => ({
  name: 'component-styles',
  transform: isBuilding
    ? {
        filter: { id: /@mantine\/core\/esm\/.+\.module\.mjs$/ },
        handler: (code, id) => `import '@mantine/core/styles/${path.basename(id, '.module.mjs')}.layer.css';\n${code}`,
      }
    : {
        filter: { id: /renderer\/main\.tsx$/ },
        handler: (code) => `import '@mantine/core/styles.layer.css';\n${code}`,
      },
});

/** The editor's own worker for TypeScript, 7 MB, is never started: program-worker.ts takes its place (editor/monaco.ts). */
const oneTypeScriptWorker: Plugin = {
  name: 'one-typescript-worker',
  transform: {
    filter: { id: /typescript\/workerManager\.js$/ },
    handler(code) {
      const without = code.replace(/createWorker: \(\) => new Worker\(new URL\('ts\.worker\.js'.+/, '');
      if (without === code)
        this.error("The editor's worker for TypeScript is not where it was; see oneTypeScriptWorker.");
      return without;
    },
  },
};

/** Programs of definitions run without a browser (`lib` in editor/monaco.ts): its declarations would add 2.6 MB to every installation. */
const noBrowserDeclarations: Plugin = {
  name: 'no-browser-declarations',
  transform: {
    filter: { id: /typescript\/lib\/lib\.js$/ },
    handler(code) {
      const without = code.replaceAll(/^libFileMap\["lib\.(?:dom|webworker)\.(?:.*)"\] = '.*';$/gm, '');
      if (without === code || /^libFileMap\["lib\.(?:dom|webworker)/m.test(without))
        this.error("The editor's declarations of the browser are not where they were; see noBrowserDeclarations.");
      return without;
    },
  },
};

const recorder = createPackageRecorder();

/** What each page needs. In one file it is 5 KB smaller, compressed, than in the files that Rolldown makes by itself. */
const BASE =
  /node_modules\/(?:react|react-dom|scheduler|@tanstack\/(?:react-router|router-core|history|store|react-store|query-core|react-query))\//;

const EDITOR_WORKER = 'monaco-editor/editor/editor.worker';

export default defineConfig(({ command }) => ({
  root: ROOT,
  // Assets are loaded relative to their page, so that the studio can be served from any path.
  base: './',
  plugins: [react(), yaml, componentStyles(command === 'build'), oneTypeScriptWorker, recorder.inBuild],
  resolve: {
    alias: [
      // monaco-yaml expects an older editor, with other file names and its own worker manager.
      { find: 'monaco-editor/esm/vs/editor/editor.worker.js', replacement: EDITOR_WORKER },
      { find: /^monaco-worker-manager$/, replacement: `${ROOT}editor/yaml/worker-manager.ts` },
    ],
  },
  build: {
    outDir: fileURLToPath(new URL('../dist/studio', import.meta.url)),
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 10_000,
    // The Content Security Policy refuses inline scripts and images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [`${ROOT}index.html`, `${ROOT}connect/index.html`],
      output: { codeSplitting: { groups: [{ name: 'base', test: BASE }] } },
    },
  },
  worker: { format: 'es', plugins: () => [noBrowserDeclarations, recorder.inWorker()] },
  server: { proxy: { '/v1': SERVICE, '/health': SERVICE, '/problems': SERVICE } },
}));
