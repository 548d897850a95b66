import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  outputDir: '../dist/e2e',
  fullyParallel: true,
  // A page waits about as long as it works: two browsers keep two cores busy.
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath: process.env['CUEBOOK_CHROMIUM'] ?? '/usr/bin/chromium',
      // As root, as in most containers, Chromium starts only without its own sandbox.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
    permissions: ['clipboard-read', 'clipboard-write'],
    // What moves is drawn without a GPU here: 0.8 s of CPU time a journey. keyboard.spec.ts and first-run.spec.ts let it move.
    contextOptions: { reducedMotion: 'reduce' },
  },
});
