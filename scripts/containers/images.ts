// The images that the services of compose.yaml need: the official ones, or such that are made of Debian's packages.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from '../install-packages.ts';
import type { Engine } from './engine.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DEBIAN = fileURLToPath(new URL('debian/', import.meta.url));
const SUITE = 'trixie';
const MIRROR = 'http://deb.debian.org/debian';
const AUTHORITIES = 'etc/ssl/certs/ca-certificates.crt';

/** By the variables of compose.yaml, targets of `debian/Dockerfile`. */
const TARGETS = { NODE_IMAGE: 'node', POSTGRES_IMAGE: 'postgres', CADDY_IMAGE: 'caddy' };

/**
 * Values for variables of `compose.yaml`: none if the official images can be pulled.
 * @param folder for files of the build
 * @param isFromDebian whether the official images are not tried
 */
export async function prepareImages(
  engine: Engine,
  folder: string,
  isFromDebian: boolean,
): Promise<Record<string, string>> {
  if (!isFromDebian && arePulled(engine)) return {};
  if (spawnSync('debootstrap', ['--version']).status !== 0 || process.getuid?.() !== 0) {
    throw new Error('Images of Debian’s packages are made with debootstrap, as root.');
  }
  const images = Object.fromEntries(
    Object.entries(TARGETS).map(([variable, target]) => [variable, `localhost/cuebook-test/${target}`]),
  );
  if (Object.values(images).every((image) => isThere(engine, image))) return images;
  makeDebian(engine, folder);
  const context = await makeContext(folder);
  for (const [variable, target] of Object.entries(TARGETS)) {
    const file = path.join(DEBIAN, 'Dockerfile');
    const tag = images[variable] ?? '';
    engine.run('build', '--network=host', '--file', file, '--target', target, '--tag', tag, context);
  }
  return images;
}

function arePulled(engine: Engine): boolean {
  const compose = readFileSync(path.join(ROOT, 'compose.yaml'), 'utf8');
  const official = compose.matchAll(/\$\{\w+_IMAGE:-(?<image>[\w.-]+\/[^}]+)\}/g);
  try {
    for (const { groups } of official) engine.run('pull', groups?.['image'] ?? '');
    return true;
  } catch {
    console.error('The official images could not be pulled. Images of Debian’s packages take their place.');
    return false;
  }
}

function isThere(engine: Engine, image: string): boolean {
  try {
    return engine.read('images', '--quiet', image) !== '';
  } catch {
    return false;
  }
}

/** A minimal Debian that trusts the authorities of this machine. */
function makeDebian(engine: Engine, folder: string): void {
  const [root, archive] = [path.join(folder, 'debian'), path.join(folder, 'debian.tar')];
  const visible = {
    stdio: ['ignore', process.stderr, process.stderr] as ['ignore', NodeJS.WriteStream, NodeJS.WriteStream],
  };
  execFileSync('debootstrap', ['--variant=minbase', '--include=ca-certificates', SUITE, root, MIRROR], visible);
  copyFileSync(path.join('/', AUTHORITIES), path.join(root, AUTHORITIES));
  execFileSync('tar', ['-C', root, '-cf', archive, '.'], visible);
  engine.run('import', archive, 'localhost/cuebook-test/debian');
}

/** @returns the folder that `debian/Dockerfile` copies from */
async function makeContext(folder: string): Promise<string> {
  const { optionalDependencies } = JSON.parse(
    readFileSync(path.join(ROOT, 'scripts/platform/package.json'), 'utf8'),
  ) as { optionalDependencies: Record<string, string> };
  const node = `node-linux-${process.arch}`;
  const installed = path.join(folder, 'installed');
  await install(installed, [`${node}@${optionalDependencies[node] ?? ''}`, 'npm@11']);
  const context = path.join(folder, 'context');
  mkdirSync(context);
  cpSync(path.join(installed, 'node_modules', node, 'bin'), path.join(context, 'node/bin'), { recursive: true });
  cpSync(path.join(installed, 'node_modules/npm'), path.join(context, 'npm'), { recursive: true });
  copyFileSync(path.join(DEBIAN, 'postgres.sh'), path.join(context, 'postgres.sh'));
  return context;
}
