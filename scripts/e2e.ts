// Builds the studio and the server if needed, then runs its browser tests in the Chromium of this machine.
import { spawnSync } from 'node:child_process';
import { buildServer, buildStudio } from './builds.ts';
import { findChromium } from './chromium.ts';
import { memoryFolder } from './memory-folder.ts';

const chromium = findChromium();
if (chromium === undefined) {
  console.log(
    'Skipped: the browser tests need Chromium, which is not in PATH. Install it, or set CUEBOOK_CHROMIUM to its path.',
  );
} else {
  await buildStudio();
  const program = await buildServer();
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/@playwright/test/cli.js', 'test', '--config', 'e2e', ...process.argv.slice(2)],
    {
      stdio: 'inherit',
      env: { ...memoryFolder(), ...process.env, CUEBOOK_CHROMIUM: chromium, CUEBOOK_PROGRAM: program },
    },
  );
  process.exitCode = status ?? 1;
}
