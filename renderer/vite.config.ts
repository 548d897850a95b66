import path from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('.', import.meta.url));

/** What the address of the running service is while `npm run studio` serves the sources. */
const SERVICE = process.env['CUEBOOK_SERVICE'] ?? 'http://127.0.0.1:4747';

/** YAML that is imported is the value it holds. */
const yaml: Plugin = {
  name: 'yaml',
  transform: { filter: { id: /\.yaml$/ }, handler: (code) => `export default ${JSON.stringify(parse(code))}` },
};

/**
 * Each component of Mantine brings its own style, so that a page loads the styles of what it shows. While the sources are
 * served all of them come at once: there the components are bundled beforehand.
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

const EDITOR_WORKER = 'monaco-editor/editor/editor.worker';

export default defineConfig(({ command }) => ({
  root: ROOT,
  // Files stand beside their page, wherever that is served.
  base: './',
  plugins: [react(), yaml, componentStyles(command === 'build')],
  resolve: {
    // The forms' own tests would bring a validator that compiles code, which the page's policy forbids.
    alias: [
      { find: '@rjsf/validator-ajv8', replacement: `${ROOT}forms/validator.ts` },
      // monaco-yaml is written for an editor whose files stood elsewhere, and which made workers by itself.
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
    // A strict policy refuses scripts and pictures written into the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: [`${ROOT}index.html`, `${ROOT}connect/index.html`] },
  },
  worker: { format: 'es' },
  server: { proxy: { '/v1': SERVICE, '/health': SERVICE, '/problems': SERVICE } },
}));
