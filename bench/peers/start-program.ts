// Starts a program that is not Node.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Program {
  pid: number;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  cwd: string;
  env?: Readonly<Record<string, string>>;
  /** The user and group that it runs as. */
  uid?: number;
  gid?: number;
}

/** Its output is dropped, except for errors. @throws Error if it cannot be started */
export async function startProgram(
  file: string,
  args: readonly string[],
  { env, ...options }: ProgramOptions,
): Promise<Program> {
  const child = spawn(file, args, {
    ...options,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'spawn');
  const ended = once(child, 'exit');
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGINT');
      await ended;
    },
  };
}
