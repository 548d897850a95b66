// Starts a server as a process of its own and reads its address from its first lines.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Busy } from './watch-main-thread.ts';

export interface Started {
  port: number;
  pid: number;
  /** Its resident memory. */
  residentMiB: () => number;
  /** How busy its main thread was since it started, or since the call before. Only with `watchMainThread`. */
  mainThread(): Promise<Busy>;
  stop(): Promise<void>;
}

/** What the launcher gives Node, so that the figures are those of what people start. */
const NODE_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=40'];

export const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

export interface StartOptions {
  watchMainThread?: boolean;
  environment?: Readonly<Record<string, string>>;
}

export async function start(
  args: readonly string[],
  { watchMainThread = false, environment = {} }: StartOptions = {},
): Promise<Started> {
  const watch = watchMainThread ? ['--import', new URL('./watch-main-thread.ts', import.meta.url).href] : [];
  const child = spawn(process.execPath, [...NODE_FLAGS, ...watch, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', watchMainThread ? 'ipc' : 'ignore'],
    env: {
      NODE_COMPILE_CACHE: here('../node_modules/.cache/compiled'),
      ...process.env,
      ...environment,
      LOG_LEVEL: 'warn',
    },
  });
  const ended = once(child, 'exit');
  if (child.stdout === null) throw new Error('The process has no output.');
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /http:\/\/127\.0\.0\.1:(\d+)$/.exec(line);
    if (address === null) continue;
    child.stdout.resume();
    const pid = child.pid ?? 0;
    return {
      port: Number(address[1]),
      pid,
      residentMiB: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
      async mainThread() {
        const answer = once(child, 'message');
        child.send('busy');
        return (await answer)[0] as Busy;
      },
      async stop() {
        child.kill('SIGTERM');
        await ended;
      },
    };
  }
  throw new Error(`${args.join(' ')} did not listen.`);
}
