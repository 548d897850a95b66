// Runs the journeys through the studio in the Chromium of this machine, with the studio as it is now.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { buildStudio } from './build-studio.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

function findChromium(): string | undefined {
  const given = process.env['CUEBOOK_CHROMIUM'];
  if (given !== undefined) return given;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

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
