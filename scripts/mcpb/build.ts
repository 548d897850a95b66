// Builds the bundle that Claude Desktop and other clients install with one click: the server, the studio, their run-time
// dependencies, and a manifest. The client provides Node.
//
// Usage: build.ts [FOLDER]   writes FOLDER/cuebook-VERSION-PLATFORM-ARCH.mcpb; dist when absent
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packExtension } from '@anthropic-ai/mcpb';
import { BUNDLE } from '../../server/runtime/studio.ts';
import { buildServer, buildStudio } from '../builds.ts';
import { foldersOf, INSTALLED, MANIFEST } from '../installed-packages.ts';
import { manifest } from './manifest.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STUDIO = 'dist/studio';
/** Copied, or of no use to a client. */
const NOT_RUN = [STUDIO, 'dist/types'];
const SHIPPED_FILES = ['package.json', 'README.md', 'LICENSE'];

/**
 * What the packer leaves out, besides its own list: files of packages that do not run. The packer's list has every `.d.ts`,
 * without which TypeScript itself does not start.
 */
const LEFT_OUT = [
  ...MANIFEST.files.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1)),
  'node_modules/**/*.ts',
  'node_modules/**/*.mts',
  'node_modules/**/*.cts',
  'node_modules/**/*.map',
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

/** The files of the npm package, and the packages that it imports. The studio is copied. */
function shippedPlaces(): string[] {
  const own = MANIFEST.files.filter((pattern) => !pattern.startsWith('!') && !NOT_RUN.includes(pattern));
  return [...own, ...foldersOf(INSTALLED)];
}

/**
 * Returns the file of the bundle.
 * @param studio the folder of the studio's files, built
 * @param without optional packages to leave out, as folders below the root: a test packs no large ones
 */
export async function buildBundle(folder: string, studio: string, without: readonly string[] = []): Promise<string> {
  const staging = mkdtempSync(path.join(os.tmpdir(), 'cuebook-mcpb-'));
  const bundle = path.join(folder, BUNDLE);
  try {
    for (const place of shippedPlaces().filter((name) => !without.includes(name))) {
      const link = path.join(staging, place);
      // A package inside another one is there with it.
      if (existsSync(link)) continue;
      mkdirSync(path.dirname(link), { recursive: true });
      symlinkSync(path.join(ROOT, place), link, 'junction');
    }
    for (const file of SHIPPED_FILES) cpSync(path.join(ROOT, file), path.join(staging, file));
    cpSync(studio, path.join(staging, STUDIO), { recursive: true });
    writeFileSync(
      path.join(staging, 'manifest.json'),
      JSON.stringify(manifest(MANIFEST.version, process.platform), null, 2),
    );
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
  await Promise.all([buildStudio(), buildServer()]);
  console.log(await buildBundle(path.resolve(process.argv[2] ?? path.join(ROOT, 'dist')), path.join(ROOT, STUDIO)));
}
