// Packages the desktop app for this machine's platform into dist/packages.
//
// Usage: package.ts [--dir | --build]
//   --dir     the app as a folder, without installers
//   --build   build the studio, the server, the app's process and its preload, and package nothing
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { archFromString, build, type Configuration, Platform } from 'electron-builder';
import { buildStudio } from '../builds.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PARTS = ['server', 'app', 'preload'];

export interface PackageOptions {
  /** The app as a folder, without installers. */
  asFolder: boolean;
  /** Overrides of electron-builder.yml. */
  config?: Configuration;
}

async function buildDesktop(): Promise<void> {
  await buildStudio();
  const { build } = await import('vite');
  rmSync(path.join(ROOT, 'dist/desktop'), { recursive: true, force: true });
  for (const mode of PARTS) await build({ configFile: path.join(ROOT, 'scripts/vite.config.ts'), mode });
}

/** Returns the files that it made. */
export async function packageDesktop({ asFolder, config = {} }: PackageOptions): Promise<string[]> {
  await buildDesktop();
  return build({
    projectDir: ROOT,
    targets: Platform.current().createTarget(asFolder ? 'dir' : null, archFromString(process.arch)),
    publish: 'never',
    config: { extends: path.join(ROOT, 'electron-builder.yml'), ...config },
  });
}

if (import.meta.main) {
  if (process.argv.includes('--build')) await buildDesktop();
  else for (const file of await packageDesktop({ asFolder: process.argv.includes('--dir') })) console.log(file);
}
