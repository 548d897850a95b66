// The container engine of this machine: Docker, where its daemon answers, else Podman.
import { type ExecFileSyncOptions, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface Engine {
  name: 'docker' | 'podman';
  /** Runs a command of the engine; what it prints goes to stderr. @throws Error if it fails */
  run(...args: string[]): void;
  /** Runs a command of the engine, and returns what it prints. @throws Error if it fails */
  read(...args: string[]): string;
  /** Runs a command on the services of `compose.yaml`. @throws Error if it fails */
  compose(...args: string[]): void;
}

interface Project {
  /** The names of containers, networks and volumes begin with it. */
  name: string;
  /** Contains `compose.yaml`, the files that it names, and `.env`. */
  folder: string;
}

const answers = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

export const NO_ENGINE =
  'This machine has no container engine that can run compose.yaml: neither Docker, with a daemon that answers and its plugin compose, nor Podman with podman-compose.';

/** Undefined where this machine has none. */
export function findEngine({ name, folder }: Project): Engine | undefined {
  if (answers('docker', 'info') && answers('docker', 'compose', 'version')) {
    return engineOf('docker', ['docker', 'compose', '--project-name', name], folder, process.env);
  }
  if (answers('podman', 'info') && answers('podman-compose', '--version')) {
    const env = { ...process.env, ...configurePodman(folder) };
    return engineOf('podman', ['podman-compose', '--project-name', name], folder, env);
  }
  return undefined;
}

function engineOf(name: Engine['name'], compose: readonly string[], folder: string, env: NodeJS.ProcessEnv): Engine {
  const visible: ExecFileSyncOptions = { env, stdio: ['ignore', process.stderr, process.stderr] };
  return {
    name,
    run: (...args) => void execFileSync(name, args, visible),
    read: (...args) => execFileSync(name, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim(),
    compose(...args) {
      const [command = '', ...before] = compose;
      execFileSync(command, [...before, ...args], { ...visible, cwd: folder });
    },
  };
}

/** Below the limits of most machines, which a process without CAP_SYS_RESOURCE cannot raise as Podman does by default. */
const LIMITS = 'default_ulimits = ["nofile=16384:16384", "nproc=8192:8192"]';

/**
 * Podman as it runs inside of a virtual machine or a container: without systemd, and with cgroups of version 1, which crun
 * refuses where version 2 is mounted as well. CONTAINERS_CONF names other settings.
 */
function configurePodman(folder: string): Record<string, string> {
  // Images of the OCI format have no health check.
  const format = { BUILDAH_FORMAT: 'docker' };
  if (process.env['CONTAINERS_CONF'] !== undefined) return format;
  const file = path.join(folder, 'containers.conf');
  const runtime = answers('runc', '--version') ? 'runtime = "runc"\n' : '';
  // Debian's other network has no names for containers.
  const network = existsSync('/usr/lib/podman/netavark') ? '[network]\nnetwork_backend = "netavark"\n' : '';
  const settings = `[containers]\n${LIMITS}\n[engine]\ncgroup_manager = "cgroupfs"\n${runtime}${network}`;
  writeFileSync(file, settings);
  return { ...format, CONTAINERS_CONF: file };
}
