// Builds the bundle that Claude Desktop and other clients install with one click: the server, the studio, their run-time
// dependencies, and a manifest. The client provides Node.
//
// Usage: build.ts [FOLDER]   writes FOLDER/cuebook-VERSION-PLATFORM-ARCH.mcpb; dist when absent
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packExtension } from '@anthropic-ai/mcpb';
import { BUNDLE } from '../../server/studio.ts';
import { buildStudio } from '../builds.ts';
import { manifest } from './manifest.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STUDIO = 'dist/studio';
const SHIPPED_FOLDERS = ['bin', 'server', 'shared', 'resources'];
const SHIPPED_FILES = ['package.json', 'README.md', 'LICENSE'];

/**
 * What the packer leaves out, besides its own list: tests, and files of packages that do not run. Node runs no TypeScript
 * below node_modules, and the packer's list has every `.d.ts`, without which TypeScript itself does not start.
 */
const LEFT_OUT = [
  '*.test.ts',
  '*.testing.ts',
  '*-contract.ts',
  '/server/test',
  'node_modules/**/*.ts',
  'node_modules/**/*.mts',
  'node_modules/**/*.cts',
  '!node_modules/@typescript/*/lib/lib*.d.ts',
  'node_modules/**/CHANGELOG.md',
  'node_modules/**/README.md',
  'node_modules/better-sqlite3/deps',
  'node_modules/better-sqlite3/src',
  'node_modules/better-sqlite3/prebuilds/*',
  `!node_modules/better-sqlite3/prebuilds/${process.platform}*-${process.arch}.node`,
  'node_modules/onnxruntime-node/bin/*/*/*',
  `!node_modules/onnxruntime-node/bin/*/${process.platform}/${process.arch}`,
];

interface Locked {
  packages: Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean }>;
}

/** The packages that the server needs at run time, as folders below the root. */
function neededPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as Locked;
  return (
    Object.entries(packages)
      .filter(([folder, { dev, devOptional }]) => folder !== '' && dev !== true && devOptional !== true)
      .map(([folder]) => folder)
      // The client provides Node, and packages of other platforms are only in the lock file.
      .filter((folder) => !folder.startsWith('node_modules/node-') && existsSync(path.join(ROOT, folder)))
  );
}

/**
 * Returns the file of the bundle.
 * @param studio the folder of the studio's files, built
 * @param without optional packages to leave out, as folders below the root: a test packs no large ones
 */
export async function buildBundle(folder: string, studio: string, without: readonly string[] = []): Promise<string> {
  const staging = mkdtempSync(path.join(os.tmpdir(), 'cuebook-mcpb-'));
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const bundle = path.join(folder, BUNDLE);
  try {
    for (const folder of [...SHIPPED_FOLDERS, ...neededPackages().filter((name) => !without.includes(name))]) {
      const link = path.join(staging, folder);
      // A package inside another one is there with it.
      if (existsSync(link)) continue;
      mkdirSync(path.dirname(link), { recursive: true });
      symlinkSync(path.join(ROOT, folder), link, 'junction');
    }
    for (const file of SHIPPED_FILES) cpSync(path.join(ROOT, file), path.join(staging, file));
    cpSync(studio, path.join(staging, STUDIO), { recursive: true });
    writeFileSync(path.join(staging, 'manifest.json'), JSON.stringify(manifest(version, process.platform), null, 2));
    writeFileSync(path.join(staging, '.mcpbignore'), LEFT_OUT.join('\n'));
    mkdirSync(folder, { recursive: true });
    const isPacked = await packExtension({ extensionPath: staging, outputPath: bundle, silent: true });
    if (!isPacked) throw new Error('The bundle was refused; its manifest or its files are invalid.');
    return bundle;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildStudio();
  console.log(await buildBundle(path.resolve(process.argv[2] ?? path.join(ROOT, 'dist')), path.join(ROOT, STUDIO)));
}
