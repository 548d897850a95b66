// Packages the desktop app for this machine's platform into dist/packages.
//
// Usage: package.ts [--dir]   --dir: the app as a folder, without installers
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { archFromString, build, type Configuration, Platform } from 'electron-builder';
import { buildDesktop } from './build.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface PackageOptions {
  /** The app as a folder, without installers. */
  asFolder: boolean;
  /** In place of what electron-builder.yml says. */
  config?: Configuration;
}

/** Answers the files that were made. */
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
  const made = await packageDesktop({ asFolder: process.argv.includes('--dir') });
  for (const file of made) console.log(file);
}
