// The oldest Node that Cuebook runs on, for the tests of the installed package.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { install } from './install-packages.ts';

const VERSION = '22.18.0';
const NAMES: Partial<Record<NodeJS.Platform, string>> = { win32: 'win' };

/**
 * The path of Node 22.18, which npm installs once into a cache folder.
 * @returns undefined, with a message, where it cannot be had
 */
export async function findOlderNode(): Promise<string | undefined> {
  const folder = path.join(os.tmpdir(), `cuebook-node-${VERSION}-${process.getuid?.() ?? 'user'}`);
  const name = `node-${NAMES[process.platform] ?? process.platform}-${process.arch}`;
  const program = path.join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const runs = (): boolean => spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${VERSION}`;
  if (existsSync(folder) && runs()) return program;
  try {
    if (!existsSync(folder)) await install(folder, [`${name}@${VERSION}`]);
    if (runs()) return program;
    throw new Error(`${program} does not start.`);
  } catch (error) {
    console.log(`Node ${VERSION} is not tested: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
