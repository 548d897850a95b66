// Packages the desktop app and the .mcpb bundle of this platform for a release, into dist/apps:
// npm run release:desktop [-- --unsigned]
//
// The app is signed, on macOS also notarized, and looks for updates in the releases of GITHUB_REPOSITORY (OWNER/NAME). It is an
// error if a certificate or key is missing, or if package.json names no publisher; `--unsigned` makes packages for trying out,
// without an address for updates.
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPackage } from '../builds.ts';
import { packageDesktop } from '../desktop/package.ts';
import { APPLE_KEY_TEXT, missingForSigning } from '../desktop/signing.ts';
import { updateAddress } from '../desktop/updates.ts';
import { MANIFEST } from '../installed-packages.ts';
import { buildBundle } from '../mcpb/build.ts';
import { NOBODY, publisherOf } from './publisher.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const APPS = path.join(ROOT, 'dist/apps');
const PACKAGES = path.join(ROOT, 'dist/packages');

const isSigned = !process.argv.includes('--unsigned');
const { GITHUB_REPOSITORY: repository = '', [APPLE_KEY_TEXT]: appleKey } = process.env;
const missing = missingForSigning(process.platform, process.env);
if (isSigned && missing.length > 0) {
  throw new Error(`Set ${missing.join(', ')} to sign the app, or pass --unsigned to try out the packages.`);
}
const publisher = isSigned ? publisherOf(MANIFEST) : NOBODY;

const keys = mkdtempSync(path.join(os.tmpdir(), 'cuebook-keys-'));
try {
  if (isSigned && process.platform === 'darwin' && appleKey !== undefined) {
    const file = path.join(keys, 'apple.p8');
    writeFileSync(file, appleKey, { mode: 0o600 });
    process.env['APPLE_API_KEY'] = file;
  }
  for (const folder of [APPS, PACKAGES]) rmSync(folder, { recursive: true, force: true });
  const signed = { ...updateAddress(repository), forceCodeSigning: process.platform !== 'linux' };
  await packageDesktop({ publisher, config: isSigned ? signed : {} });
} finally {
  rmSync(keys, { recursive: true });
}

mkdirSync(APPS, { recursive: true });
// Installers, their differences to older ones (blockmap) and the files of the update channels; not what electron-builder did.
for (const name of globSync('*.{deb,tar.gz,dmg,zip,exe,blockmap,yml}', { cwd: PACKAGES })) {
  if (!name.startsWith('builder-')) cpSync(path.join(PACKAGES, name), path.join(APPS, name));
}
await buildPackage();
await buildBundle(APPS, path.join(ROOT, 'dist/studio'));
