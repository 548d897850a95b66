// Packages the desktop app for this machine's platform into dist/packages.
//
// Usage: package.ts [--dir | --build]
//   --dir     the app as a folder, without installers
//   --build   build the studio, the server, the app's process and its preload, and package nothing
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { archFromString, build, type Configuration, Platform } from 'electron-builder';
import { buildServer, buildStudio } from '../builds.ts';
import { foldersOf, MANIFEST } from '../installed-packages.ts';
import { NOBODY, type Publisher } from '../release/publisher.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PARTS = ['app', 'preload'];

/** What the optional packages have that the app does not use. */
const LEFT_OUT = [
  '!**/*.{ts,mts,cts,map}',
  // The install script of onnxruntime-node, and its programs for other platforms.
  '!{script,node_modules}{,/**}',
  ...['darwin', 'linux', 'win32'].filter((name) => name !== process.platform).map((name) => `!bin/*/${name}{,/**}`),
];

export interface PackageOptions {
  /** Formats by electron-builder's names, `dir` for a folder; those of electron-builder.yml when absent. */
  formats?: string[];
  /** Whom the package names; nobody when absent. */
  publisher?: Publisher;
  /** Overrides of electron-builder.yml. */
  config?: Configuration;
}

/** Builds what the app consists of: the studio, the server, its main process and its preload. */
export async function buildDesktop(): Promise<void> {
  await Promise.all([buildStudio(), buildServer()]);
  const { build } = await import('vite');
  rmSync(path.join(ROOT, 'dist/desktop'), { recursive: true, force: true });
  for (const mode of PARTS) await build({ configFile: path.join(ROOT, 'scripts/vite.config.ts'), mode });
}

/** The optional peers with what they need: electron-builder finds the dependencies by itself, and not these. */
function optionalPackages(): { from: string; to: string; filter: string[] }[] {
  // TypeScript reads the declarations of its own libraries.
  return foldersOf(Object.keys(MANIFEST.peerDependencies)).map((folder) => ({
    from: folder,
    to: folder,
    filter: folder.startsWith('node_modules/@typescript/') ? ['**/*'] : ['**/*', ...LEFT_OUT],
  }));
}

/** Returns the files that it made. */
export async function packageDesktop({ formats, publisher = NOBODY, config = {} }: PackageOptions): Promise<string[]> {
  await buildDesktop();
  return build({
    projectDir: ROOT,
    targets: Platform.current().createTarget(formats ?? null, archFromString(process.arch)),
    publish: 'never',
    config: {
      extends: path.join(ROOT, 'electron-builder.yml'),
      files: optionalPackages(),
      extraMetadata: { homepage: publisher.homepage },
      linux: { maintainer: publisher.maintainer },
      ...config,
    },
  });
}

if (import.meta.main) {
  if (process.argv.includes('--build')) await buildDesktop();
  else
    for (const file of await packageDesktop(process.argv.includes('--dir') ? { formats: ['dir'] } : {}))
      console.log(file);
}
