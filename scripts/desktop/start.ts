// Starts the desktop app from the sources: npm run desktop. It builds what is out of date, and downloads Electron at the first start.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { MANIFEST } from '../installed-packages.ts';
import { buildDesktop } from './package.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const APP = path.join(ROOT, 'dist/desktop-app');
const { resolve } = createRequire(import.meta.url);

/**
 * The path of Electron's program. Packages are installed without their scripts, so it is downloaded here, once.
 * @returns undefined if it cannot be downloaded; the reason is on stderr
 */
function findElectron(): string | undefined {
  const folder = path.dirname(resolve('electron/package.json'));
  if (process.env['ELECTRON_OVERRIDE_DIST_PATH'] === undefined) {
    const { status } = spawnSync(process.execPath, [path.join(folder, 'install.js')], { stdio: ['ignore', 2, 2] });
    if (status !== 0) return undefined;
  }
  // The package's export is the path, in its own dist or in the given folder.
  return createRequire(import.meta.url)('electron') as string;
}

/** Lays the app out as in a package: its process, with the server beside it. */
function layOut(): void {
  rmSync(APP, { recursive: true, force: true });
  cpSync(path.join(ROOT, 'dist/desktop/electron'), path.join(APP, 'electron'), { recursive: true });
  for (const icon of globSync('tray*.png', { cwd: path.join(ROOT, 'resources/icons') })) {
    cpSync(path.join(ROOT, 'resources/icons', icon), path.join(APP, 'electron/icons', icon));
  }
  mkdirSync(path.join(APP, 'dist'));
  symlinkSync(path.join(ROOT, 'dist/server'), path.join(APP, 'dist/server'), 'junction');
  const manifest = { name: 'cuebook', productName: 'Cuebook', version: MANIFEST.version, type: 'module' };
  writeFileSync(path.join(APP, 'package.json'), JSON.stringify({ ...manifest, main: 'electron/main.js' }));
}

const electron = findElectron();
if (electron === undefined || !existsSync(electron)) {
  console.error(
    'Electron could not be downloaded. Run `npm run desktop` again with a connection to GitHub, set ELECTRON_MIRROR to the address of a mirror, or set ELECTRON_OVERRIDE_DIST_PATH to a folder with an unpacked Electron. Without Electron, `npm start` serves the same studio to a browser.',
  );
  process.exitCode = 1;
} else {
  await buildDesktop();
  layOut();
  const child = spawn(electron, [APP, ...process.argv.slice(2)], { stdio: 'inherit' });
  child.on('exit', (code) => (process.exitCode = code ?? 1));
}
