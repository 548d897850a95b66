// How long a program may take to start. One that may install what it runs gets longer: ending a package manager while it
// works can leave its cache broken.
import type { ToolServer } from '../../../settings/index.ts';
import { LIMITS_MS } from '../server.ts';

export interface StartLimits {
  /** Whether the program may install something first. */
  installs: boolean;
  /** How long a caller waits, in milliseconds. */
  callerMs: number;
  /** After which the program is ended, in milliseconds. */
  programMs: number;
}

export function startLimitsOf({ command, args, startTimeoutMs }: ToolServer & { type: 'stdio' }): StartLimits {
  const installs = mayInstall(command, args);
  const callerMs = startTimeoutMs ?? (installs ? LIMITS_MS.install : LIMITS_MS.start);
  return { installs, callerMs, programMs: installs ? Math.max(callerMs, LIMITS_MS.install) : callerMs };
}

/** Those that always may, and those that may with one of these words among their arguments. */
const ALWAYS = new Set(['npx', 'pnpx', 'bunx', 'uvx', 'dnx']);
const WITH_WORD: Readonly<Record<string, ReadonlySet<string>>> = {
  npm: new Set(['exec', 'x', 'install', 'run', 'start']),
  pnpm: new Set(['dlx', 'exec', 'run', 'start']),
  yarn: new Set(['dlx', 'exec', 'run', 'start']),
  bun: new Set(['x', 'run']),
  deno: new Set(['run', 'task']),
  uv: new Set(['run', 'tool', 'x']),
  pipx: new Set(['run']),
  go: new Set(['run']),
  cargo: new Set(['run']),
  dotnet: new Set(['run', 'tool']),
  nix: new Set(['run', 'shell']),
  docker: new Set(['run']),
  podman: new Set(['run']),
  nerdctl: new Set(['run']),
};
const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'cmd', 'env', 'powershell', 'pwsh']);

function mayInstall(command: string, args: readonly string[]): boolean {
  const program = nameOf(command);
  if (ALWAYS.has(program)) return true;
  if (Object.hasOwn(WITH_WORD, program)) return args.some((word) => WITH_WORD[program]?.has(word) === true);
  if (!SHELLS.has(program)) return false;
  const words = args.flatMap((argument) => argument.split(/[\s;&|]+/)).filter((word) => word !== '');
  return words.some((word, at) => !SHELLS.has(nameOf(word)) && mayInstall(word, words.slice(at + 1)));
}

function nameOf(command: string): string {
  const name = command.split(/[/\\]/).at(-1) ?? command;
  return name.toLowerCase().replace(/\.(?:exe|cmd|bat|ps1)$/, '');
}
