import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const ROOT = fileURLToPath(new URL('.', import.meta.url));

/** What the address of the running service is while `npm run studio` serves the sources. */
const SERVICE = process.env['CUEBOOK_SERVICE'] ?? 'http://127.0.0.1:4747';

export default defineConfig({
  root: ROOT,
  // Files stand beside their page, wherever that is served.
  base: './',
  plugins: [react()],
  resolve: {
    // The forms' own tests would bring a validator that compiles code, which the page's policy forbids.
    alias: { '@rjsf/validator-ajv8': `${ROOT}forms/validator.ts` },
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
  },
  worker: { format: 'es' },
  server: { proxy: { '/v1': SERVICE, '/health': SERVICE, '/problems': SERVICE } },
});
