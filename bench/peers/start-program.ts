// Starts a program that is not Node, and finds ports for it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

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

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
