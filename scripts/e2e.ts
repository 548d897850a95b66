// Runs the journeys through the studio in the Chromium of this machine, with the studio as it is now.
import { spawnSync } from 'node:child_process';
import { buildStudio } from './build-studio.ts';
import { findChromium } from './chromium.ts';

const chromium = findChromium();
if (chromium === undefined) {
  console.log('Skipped: the journeys need Chromium, and none is in PATH. Install it, or name it in CUEBOOK_CHROMIUM.');
} else {
  await buildStudio();
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/@playwright/test/cli.js', 'test', '--config', 'e2e', ...process.argv.slice(2)],
    { stdio: 'inherit', env: { ...process.env, CUEBOOK_CHROMIUM: chromium } },
  );
  process.exitCode = status ?? 1;
}
