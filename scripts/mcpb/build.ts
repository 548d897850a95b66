// Builds the bundle that Claude Desktop and other clients install with one click: the server, the studio, their run-time
// dependencies, and a manifest. The client provides Node.
//
// Usage: build.ts [FOLDER]   writes FOLDER/cuebook-VERSION-PLATFORM-ARCH.mcpb; dist when absent
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packExtension } from '@anthropic-ai/mcpb';
import { BUNDLE } from '../../server/studio.ts';
import { buildStudio } from '../builds.ts';
import { manifest } from './manifest.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PLATFORM = `${process.platform}-${process.arch}`;
const STUDIO = 'dist/studio';
const SHIPPED = ['bin', 'server', 'shared', 'resources', 'package.json', 'README.md', 'LICENSE'];

/** Left out of the bundle: tests, and files of packages that are only needed for development. */
const NOT_SHIPPED =
  /\.test\.ts$|\.testing\.ts$|-contract\.ts$|server\/testing(\/|$)|\.(map|d\.mts|d\.cts)$|better-sqlite3\/(deps|src)(\/|$)/;
const BINARY = /better-sqlite3\/prebuilds\/(.+)\.node$|onnxruntime-node\/bin\/[^/]+\/(\w+\/\w+)$/;

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

function ships(source: string): boolean {
  const file = source.slice(ROOT.length).replaceAll('\\', '/');
  const [, prebuild, folder] = BINARY.exec(file) ?? [];
  const platform = prebuild?.replace('musl', '') ?? folder?.replace('/', '-');
  return !NOT_SHIPPED.test(file) && (platform === undefined || platform === PLATFORM);
}

/**
 * Returns the file of the bundle.
 * @param studio the folder of the studio's files, built
 */
export async function buildBundle(folder: string, studio: string): Promise<string> {
  const staging = mkdtempSync(path.join(os.tmpdir(), 'cuebook-mcpb-'));
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const bundle = path.join(folder, BUNDLE);
  try {
    for (const part of [...SHIPPED, ...neededPackages()]) {
      cpSync(path.join(ROOT, part), path.join(staging, part), { recursive: true, filter: ships });
    }
    cpSync(studio, path.join(staging, STUDIO), { recursive: true });
    writeFileSync(path.join(staging, 'manifest.json'), JSON.stringify(manifest(version, process.platform), null, 2));
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
