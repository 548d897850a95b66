import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { refuseCanaries } from './canaries.ts';

export interface ServerProcess {
  address: string;
  pid: number;
  /** What it wrote on stderr so far. */
  stderr(): string;
  /** Sends a signal and waits for the end; answers the exit code, or null where a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Settles when the process ends by itself. */
  ended: Promise<number | null>;
}

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

/** `cuebook serve` as a process of its own; settles when it has written its address. */
export async function startServerProcess(
  dataDir: string,
  options: { args?: readonly string[]; environment?: Record<string, string>; wrapper?: readonly string[] } = {},
): Promise<ServerProcess> {
  const [command, before] =
    options.wrapper?.[0] === undefined
      ? [process.execPath, []]
      : [options.wrapper[0], [...options.wrapper.slice(1), process.execPath]];
  const child = spawn(
    command,
    [...before, MAIN, 'serve', '--port', '0', '--data-dir', dataDir, ...(options.args ?? [])],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LOG_LEVEL: 'warn', ...options.environment },
    },
  );
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  for await (const line of createInterface({ input: child.stdout })) {
    const address = line.split(' ').at(-1);
    if (address?.startsWith('http://') !== true) continue;
    child.stdout.resume();
    return {
      address,
      pid: child.pid ?? 0,
      stderr: () => stderr,
      ended,
      async end(signal) {
        child.kill(signal);
        const code = await ended;
        refuseCanaries(stderr, 'what the server wrote');
        return code;
      },
    };
  }
  throw new Error(`The server ended with ${await ended} before it listened: ${stderr}`);
}
