// Installs packages that are no dependencies of the project into a folder, without their install scripts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** @throws Error with the beginning of what npm printed */
export async function install(folder: string, packages: readonly string[]): Promise<void> {
  mkdirSync(folder);
  // PostgreSQL does not run as root, so another user has to be able to read it.
  chmodSync(folder, 0o755);
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  if (packages.length === 0) return;
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = spawn('npm', ['install', ...quiet, ...packages], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  npm.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const [code] = (await once(npm, 'close')) as [number | null];
  if (code === 0) return;
  const [first, second] = printed.replaceAll('npm error ', '').split('\n');
  throw new Error(`npm install ${packages.join(' ')} failed: ${first}, ${second}.`);
}

/** The module of an installed package. It is no dependency of the project, so the caller declares what it uses. */
export function load(folder: string, name: string): unknown {
  return createRequire(path.join(folder, 'package.json'))(name);
}
